package spsa

import (
	"fmt"
	"reflect"
	"strings"
)

// difference returns the first exported field in which two values of the same type
// differ, with what it was and is, "" if there is none.
func difference(was, is any) string {
	return strings.TrimPrefix(differ(reflect.ValueOf(was), reflect.ValueOf(is)), ".")
}

// differ is difference for a part of both values.
func differ(was, is reflect.Value) string {
	switch was.Kind() {
	case reflect.Pointer:
		if !was.IsNil() && !is.IsNil() {
			return differ(was.Elem(), is.Elem())
		}
	case reflect.Struct:
		for i := range was.NumField() {
			field := was.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			if text := differ(was.Field(i), is.Field(i)); text != "" {
				return "." + field.Name + text
			}
		}
		return ""
	case reflect.Slice:
		if was.Len() != is.Len() {
			return fmt.Sprintf(": had %d elements and has %d", was.Len(), is.Len())
		}
		for i := range was.Len() {
			if text := differ(was.Index(i), is.Index(i)); text != "" {
				return fmt.Sprintf("[%d]%s", i, text)
			}
		}
		return ""
	}
	if reflect.DeepEqual(was.Interface(), is.Interface()) {
		return ""
	}
	return fmt.Sprintf(": was %v and is %v", was.Interface(), is.Interface())
}
