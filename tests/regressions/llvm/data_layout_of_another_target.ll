; Pointers of 4 bytes in the data layout, of 8 in the target: relocations overlapped.
target datalayout = "e-p:32:32"
target triple = "x86_64-pc-linux-gnu"
@labels = global [2 x ptr] [ptr @main, ptr @main]
define i32 @main() {
  %1 = load i32, ptr @labels
  ret i32 %1
}
