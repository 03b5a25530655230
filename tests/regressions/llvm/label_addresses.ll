; An indirect jump without targets, and one to a block with phi nodes.
@p = global ptr blockaddress(@main, %b)
define i32 @main() {
a:
  %1 = load ptr, ptr @p
  indirectbr ptr %1, []
b:
  %2 = phi i32 [ 1, %b ]
  indirectbr ptr %1, [label %b]
}
