; C types that contain themselves by value.
@x = global i32 0, !dbg !0
define i32 @main() {
  %1 = load i32, ptr @x
  ret i32 %1
}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: null, line: 1, type: !2, isLocal: false, isDefinition: true)
!2 = !DIDerivedType(tag: DW_TAG_typedef, name: "t", baseType: !3)
!3 = !DICompositeType(tag: DW_TAG_structure_type, name: "s", size: 32, elements: !4)
!4 = !{!5, !6}
!5 = !DIDerivedType(tag: DW_TAG_member, name: "p", baseType: !7, size: 32)
!6 = !DIDerivedType(tag: DW_TAG_member, name: "t", baseType: !2, size: 32)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !2, size: 64)
