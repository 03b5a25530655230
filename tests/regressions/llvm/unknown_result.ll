; The result of an instruction that the reader does not know has the type of its first use.
define i32 @main() {
  %1 = frobnicate i32 7
  %2 = select i1 true, i32 %1, i32 3
  %3 = add i32 %1, %2
  %4 = fadd <2 x double> splat (double 1.0), splat (double 2.0)
  ret i32 %3
}
