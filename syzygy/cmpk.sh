for i in 1 2 3; do for k in 8 9 10 11 12; do
./gobench$k /work/shared/corpora/syzygy pos.txt | awk '{print $5}' | sort -n | head -1 | sed "s/^/go$k /"
done; for k in 1 2 3; do ../fathom/fathom /work/shared/corpora/syzygy pos.txt; done | awk '{print $5}' | sort -n | head -1 | sed 's/^/fathom /'
done
