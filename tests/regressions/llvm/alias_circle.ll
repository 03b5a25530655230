; Aliases that name each other: resolving them did not end.
@a = alias i32, ptr @b
@b = alias i32, ptr @a
define i32 @main() {
  %1 = load i32, ptr @a
  ret i32 %1
}
