package cli

import (
	"fmt"
	"strings"
)

// writeBash writes the script for bash 3.2 and later. Where it names no candidates
// bash completes names of files.
func writeBash(s *strings.Builder, name string, commands []completion) {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	fmt.Fprintf(s, `# Completion of %[1]s for bash.
_%[1]s() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} flags='' values='' paths=''
	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W %[2]s -- "$word"))
		return
	fi
	case ${COMP_WORDS[1]} in
`, name, quoted(strings.Join(names, " ")))
	for _, c := range commands {
		var flags, values, paths []string
		for _, f := range c.flags {
			flags = append(flags, "--"+f.name)
			switch {
			case f.isPath():
				paths = append(paths, f.spellings()...)
			case f.value != "":
				values = append(values, f.spellings()...)
			}
		}
		fmt.Fprintf(s, "\t%s) flags=%s values=%s paths=%s ;;\n", c.spellings("|"), quoted(strings.Join(flags, " ")),
			quoted(strings.Join(values, " ")), quoted(strings.Join(paths, " ")))
	}
	fmt.Fprintf(s, `	esac
	case " $paths " in *" $before "*) return ;; esac
	case " $values " in *" $before "*)
		compopt +o default 2>/dev/null
		return
		;;
	esac
	case $word in -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;; esac
}
complete -o default -F _%[1]s %[1]s
`, name)
}

// writeZsh writes the script for zsh.
func writeZsh(s *strings.Builder, name string, commands []completion) {
	fmt.Fprintf(s, "#compdef %[1]s\n# Completion of %[1]s for zsh.\n_%[1]s() {\n", name)
	s.WriteString("\tif (( CURRENT == 2 )); then\n\t\tlocal -a commands=(\n")
	for _, c := range commands {
		fmt.Fprintf(s, "\t\t\t%s\n", quoted(c.name+":"+escaped(c.summary, `\:`)))
	}
	s.WriteString("\t\t)\n\t\t_describe command commands\n\t\treturn\n\tfi\n\tshift words\n\t(( CURRENT-- ))\n")
	s.WriteString("\tcase $words[1] in\n")
	for _, c := range commands {
		fmt.Fprintf(s, "\t%s)\n\t\t_arguments", c.spellings("|"))
		for _, f := range c.flags {
			value := ""
			switch {
			case f.isPath():
				value = ":" + escaped(f.value, ":") + ":_files"
			case f.value != "":
				value = ":" + escaped(f.value, ":") + ": "
			}
			for _, spelling := range f.spellings() {
				fmt.Fprintf(s, " \\\n\t\t\t%s", quoted("*"+spelling+"["+escaped(f.usage, `\[]:`)+"]"+value))
			}
		}
		s.WriteString(" \\\n\t\t\t'*:file:_files'\n\t\t;;\n")
	}
	fmt.Fprintf(s, "\tesac\n}\ncompdef _%[1]s %[1]s\n", name)
}

// writeFish writes the script for fish.
func writeFish(s *strings.Builder, name string, commands []completion) {
	fmt.Fprintf(s, "# Completion of %[1]s for fish.\n", name)
	for _, c := range commands {
		fmt.Fprintf(s, "complete -c %s -n __fish_use_subcommand -f -a %s -d %s\n", name, c.name, fishQuoted(c.summary))
	}
	for _, c := range commands {
		for _, f := range c.flags {
			fmt.Fprintf(s, "complete -c %s -n '__fish_seen_subcommand_from %s' -l %s", name, c.spellings(" "), f.name)
			if f.letter != "" {
				s.WriteString(" -s " + f.letter)
			}
			switch {
			case f.isPath():
				s.WriteString(" -r -F")
			case f.value != "":
				s.WriteString(" -x")
			}
			s.WriteString(" -d " + fishQuoted(f.usage) + "\n")
		}
	}
}

// quoted returns text in single quotes, as bash and zsh read it.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// fishQuoted returns text in single quotes, as fish reads it.
func fishQuoted(text string) string { return "'" + escaped(text, `\'`) + "'" }

// escaped returns text with a backslash before each of the special characters.
func escaped(text, special string) string {
	var s strings.Builder
	for _, r := range text {
		if strings.ContainsRune(special, r) {
			s.WriteByte('\\')
		}
		s.WriteRune(r)
	}
	return s.String()
}
