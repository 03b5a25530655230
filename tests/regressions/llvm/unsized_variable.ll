; A variable of a type that is never defined.
@x = global %missing zeroinitializer
define i32 @main() {
  %1 = load i32, ptr @x
  ret i32 %1
}
