// Package difference tells in what two values differ, such as the settings of a run and
// those that its files name.
package difference

import (
	"fmt"
	"reflect"
	"strings"
)

// First returns the first exported field in which two values of the same type of structs
// differ, also within other fields, with what it was and is, as in "Rate.Start was 0.004
// and is 0.002"; "" if there is none.
func First(was, is any) string {
	return strings.TrimPrefix(first(reflect.ValueOf(was), reflect.ValueOf(is)), ".")
}

// first is First for a part of both values.
func first(was, is reflect.Value) string {
	switch was.Kind() {
	case reflect.Pointer:
		if !was.IsNil() && !is.IsNil() {
			return first(was.Elem(), is.Elem())
		}
	case reflect.Struct:
		for i := range was.NumField() {
			field := was.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			if text := first(was.Field(i), is.Field(i)); text != "" {
				return "." + field.Name + text
			}
		}
		return ""
	case reflect.Slice:
		if was.Len() != is.Len() {
			return fmt.Sprintf(" had %d elements and has %d", was.Len(), is.Len())
		}
		for i := range was.Len() {
			if text := first(was.Index(i), is.Index(i)); text != "" {
				return fmt.Sprintf("[%d]%s", i, text)
			}
		}
		return ""
	}
	if reflect.DeepEqual(was.Interface(), is.Interface()) {
		return ""
	}
	return fmt.Sprintf(" was %v and is %v", was.Interface(), is.Interface())
}
