; Integers wider than those that are supported, and shifts of them.
define i32 @main() {
  %1 = zext i32 1 to i4097
  %2 = shl i4097 %1, %1
  %3 = zext i32 1 to i100000
  %4 = trunc i100000 %3 to i32
  %5 = zext i32 %4 to i4096
  %6 = udiv i4096 %5, %5
  %7 = trunc i4096 %6 to i32
  ret i32 %7
}
