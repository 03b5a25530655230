//! The reader on small texts: each dialect of clang, each kind of thing, and bad input.

mod consistency;

use raddle_clang::llvm::ast::*;
use raddle_clang::llvm::{Layout, parse};

#[track_caller]
fn read(text: &str) -> Module {
    match parse(text.as_bytes()) {
        Ok(module) => {
            if let Err(problem) = consistency::check(&module) {
                panic!("{problem}");
            }
            module
        }
        Err(error) => panic!("{error}"),
    }
}

/// What the bodies below mention.
const SURROUNDINGS: &str = "
declare i8 @g(ptr)
declare void @h(i32, ...)
declare double @k(double)
!0 = !{}
!1 = !{}
!2 = !{}
!3 = !{}
!4 = !{}
!7 = !{}
";

/// Reads `body` as the body of a function with a pointer `%p`, integers `%a` and `%b` and a double `%d`; its
/// instructions without debug records.
#[track_caller]
fn body(text: &str) -> (Module, Vec<Instruction>) {
    let head = "define void @f(ptr %p, i32 %a, i32 %b, double %d) {";
    let module = read(&format!("{head}\n{text}\n  ret void\n}}\n{SURROUNDINGS}"));
    let instructions = module.functions[0].blocks.iter().flat_map(|b| b.instructions.clone()).collect();
    (module, instructions)
}

#[track_caller]
fn fails(text: &str, line: u32, message: &str) {
    let error = parse(text.as_bytes()).expect_err("the text should not be accepted");
    assert!(error.message.contains(message), "{error}");
    assert_eq!(error.line, line, "{error}");
}

/// The same program as clang 14 prints it: typed pointers, debug intrinsics.
const TYPED: &str = r#"
source_filename = "count.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i32, %struct.node*, void (i32)*, [2 x i8] }
%union.pthread_attr_t = type opaque

@head = dso_local global %struct.node { i32 7, %struct.node* @head, void (i32)* null, [2 x i8] c"a\00" }, align 8, !dbg !0
@.str = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1
@local = internal thread_local global i32 0, align 4
@other = external global i64

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @count(%struct.node* noundef %0, i32 noundef signext %1) #0 !dbg !8 {
  %3 = alloca %struct.node*, align 8
  store %struct.node* %0, %struct.node** %3, align 8
  call void @llvm.dbg.declare(metadata %struct.node** %3, metadata !12, metadata !DIExpression()), !dbg !13
  %4 = load %struct.node*, %struct.node** %3, align 8, !dbg !14
  %5 = getelementptr inbounds %struct.node, %struct.node* %4, i32 0, i32 0, !dbg !14
  %6 = load i32, i32* %5, align 8, !dbg !14
  %7 = icmp sgt i32 %6, %1, !dbg !14
  br i1 %7, label %8, label %10, !dbg !14

8:                                                ; preds = %2
  %9 = call i32 (i8*, ...) @printf(i8* noundef getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 0), i32 noundef %6) #2, !dbg !14
  br label %10

10:                                               ; preds = %8, %2
  %11 = phi i32 [ 0, %2 ], [ %9, %8 ]
  ret i32 %11, !dbg !14
}

declare void @llvm.dbg.declare(metadata, metadata, metadata) #1
declare i32 @printf(i8* noundef, ...)

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { noreturn }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!5}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "head", scope: !2, file: !3, line: 3, type: !6, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "count.c", directory: "/src")
!4 = !{!0}
!5 = !{i32 7, !"Dwarf Version", i32 5}
!6 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 1, size: 256, elements: !7)
!7 = !{!9}
!8 = distinct !DISubprogram(name: "count", scope: !3, file: !3, line: 5, type: !10, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !11)
!9 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !6, file: !3, line: 1, baseType: !15, size: 3, offset: 3, flags: DIFlagBitField, extraData: i64 0)
!10 = !DISubroutineType(types: !11)
!11 = !{}
!12 = !DILocalVariable(name: "n", arg: 1, scope: !8, file: !3, line: 5, type: !6)
!13 = !DILocation(line: 5, column: 24, scope: !8)
!14 = !DILocation(line: 6, column: 9, scope: !8)
!15 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
"#;

/// As clang 19 and later print it: opaque pointers, debug records.
fn opaque() -> String {
    TYPED
        .replace("%struct.node* ", "ptr ")
        .replace("%struct.node*,", "ptr,")
        .replace("%struct.node** ", "ptr ")
        .replace("void (i32)*", "ptr")
        .replace("i32* ", "ptr ")
        .replace("i8* noundef getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 0)", "ptr noundef @.str")
        .replace("i8*", "ptr")
        .replace(
            "  call void @llvm.dbg.declare(metadata ptr %3, metadata !12, metadata !DIExpression()), !dbg !13",
            "    #dbg_declare(ptr %3, !12, !DIExpression(), !13)",
        )
        .replace("declare void @llvm.dbg.declare(metadata, metadata, metadata) #1\n", "")
}

fn check_count(module: &Module) {
    assert_eq!(module.source_filename.as_deref(), Some("count.c"));
    assert_eq!(&*module.triple, "x86_64-pc-linux-gnu");
    let layout = Layout::new(module);

    let head = module.variable("head").unwrap();
    assert_eq!(layout.size(head.ty), Some(32));
    assert_eq!((head.align, head.linkage, head.constant), (Some(8), Linkage::External, false));
    let MetaNode::VariableExpression { variable: Some(variable), .. } = module.meta(head.dbg[0]) else {
        panic!()
    };
    let MetaNode::Variable(variable) = module.meta(*variable) else { panic!() };
    assert_eq!(module.text(variable.name), "head");
    let ConstKind::Aggregate(parts) = &module.constant(head.initializer.unwrap()).kind else { panic!() };
    assert!(matches!(module.constant(parts[0]).kind, ConstKind::Int(7)));
    assert!(matches!(module.constant(parts[1]).kind, ConstKind::Global(name) if name == head.name));
    assert!(matches!(module.constant(parts[2]).kind, ConstKind::Null));
    assert!(matches!(&module.constant(parts[3]).kind, ConstKind::Bytes(bytes) if &**bytes == b"a\0"));
    assert!(module.variable("local").unwrap().thread_local);
    assert!(module.variable("other").unwrap().initializer.is_none());

    let count = module.function("count").unwrap();
    assert_eq!(count.parameters.len(), 2);
    assert!(count.parameters[1].attributes.signext);
    assert_eq!(count.blocks.len(), 3);
    assert!(module.attributes(&count.attributes).has(AttributeFlags::NOUNWIND));
    let entry = &count.blocks[0].instructions;
    let Op::Debug(record) = &entry[2].op else { panic!("{:?}", entry[2]) };
    assert_eq!(record.kind, DebugKind::Declare);
    assert_eq!(record.operands[0].value, Value::Local(entry[0].result.unwrap()));
    let MetaNode::Variable(variable) = module.meta(record.variable.unwrap()) else { panic!() };
    assert_eq!((module.text(variable.name), variable.argument), ("n", 1));
    let MetaNode::Location { line: 5, column: 24, scope: Some(scope), inlined_at: None } =
        *module.meta(record.location.unwrap())
    else {
        panic!()
    };
    assert_eq!(Some(scope), count.dbg);
    let Op::CondBr { then, otherwise, .. } = entry.last().unwrap().op else { panic!() };
    assert_eq!((then, otherwise), (BlockId(1), BlockId(2)));

    let Op::Call(call) = &count.blocks[1].instructions[0].op else { panic!() };
    assert!(matches!(call.callee, Callee::Value(Value::Global(name)) if module.text(name) == "printf"));
    assert_eq!(call.arguments.len(), 2);
    assert!(call.function_type.is_some());
    assert!(module.attributes(&call.attributes).has(AttributeFlags::NORETURN));
    assert!(module.function("printf").unwrap().varargs);
    let Op::Phi { incoming, .. } = &count.blocks[2].instructions[0].op else { panic!() };
    assert_eq!((incoming[0].1, incoming[1].1), (BlockId(0), BlockId(1)));

    let units = &module.named_metadata[&module.names.find("llvm.dbg.cu").unwrap()];
    assert!(matches!(module.meta(units[0]), MetaNode::CompileUnit { .. }));
    let member = module.metadata.iter().find_map(|node| match node {
        MetaNode::DerivedType(member) => Some(member),
        _ => None,
    });
    let member = member.unwrap();
    assert!(member.bit_field);
    assert_eq!((member.tag, member.size, member.offset, member.storage_offset), (Tag::Member, 3, 3, Some(0)));
}

#[test]
fn typed_pointers_and_debug_intrinsics() {
    check_count(&read(TYPED));
}

#[test]
fn opaque_pointers_and_debug_records() {
    check_count(&read(&opaque()));
}

#[test]
fn carriage_returns_and_comments_do_not_matter() {
    check_count(&read(&TYPED.replace('\n', " ; comment with \" quote\r\n")));
}

#[test]
fn arithmetic_keeps_its_flags() {
    let (module, code) = body(
        "  %1 = add nuw nsw i32 %a, -1
  %2 = udiv exact i32 %1, %b
  %3 = or disjoint i32 %2, 1
  %4 = fadd nnan nsz double %d, 0x7FF0000000000000
  %5 = fneg fast double %4
  %6 = icmp samesign ult i32 %3, 5
  %7 = fcmp uno double %5, 0.000000e+00
  %8 = zext nneg i32 %3 to i64
  %9 = trunc nuw nsw i64 %8 to i8
  %10 = select i1 %6, i32 %a, i32 undef
  %11 = freeze i32 poison",
    );
    let Op::Binary { op: BinaryOp::Add, flags, right: Value::Const(minus_one), .. } = code[0].op else {
        panic!()
    };
    assert!(flags.has(Flags::NSW) && flags.has(Flags::NUW) && !flags.has(Flags::EXACT));
    assert!(matches!(module.constant(minus_one).kind, ConstKind::Int(0xffff_ffff)));
    assert!(matches!(code[1].op, Op::Binary { op: BinaryOp::UDiv, flags: Flags::EXACT, .. }));
    assert!(matches!(code[2].op, Op::Binary { op: BinaryOp::Or, flags: Flags::DISJOINT, .. }));
    let Op::Binary { right: Value::Const(infinity), .. } = code[3].op else { panic!() };
    assert!(
        matches!(module.constant(infinity).kind, ConstKind::Float(bits) if f64::from_bits(bits).is_infinite())
    );
    assert!(matches!(code[4].op, Op::FNeg { flags: Flags::FAST, .. }));
    assert!(matches!(code[7].op, Op::Cast { op: CastOp::ZExt, flags: Flags::NNEG, .. }));
}

#[test]
fn memory_accesses_keep_their_orders() {
    let (module, code) = body(
        r#"  %1 = load atomic volatile i32, ptr %p syncscope("singlethread") acquire, align 4
  store atomic i32 %1, ptr %p release, align 4
  fence syncscope("singlethread") seq_cst
  %2 = cmpxchg weak volatile ptr %p, i32 0, i32 %a acq_rel monotonic, align 4
  %3 = extractvalue { i32, i1 } %2, 1
  %4 = atomicrmw volatile umax ptr %p, i32 %a monotonic, align 4
  %5 = atomicrmw fadd ptr %p, double %d seq_cst
  %6 = alloca i32, i32 %a, align 16, addrspace(5)
  %7 = alloca inalloca i8
  store volatile i32 %4, ptr %p, align 1, !nontemporal !0"#,
    );
    let Op::Load { access, .. } = code[0].op else { panic!() };
    assert_eq!(
        access,
        Access { ordering: Ordering::Acquire, volatile: true, single_thread: true, align: Some(4) }
    );
    assert!(matches!(code[1].op, Op::Store { access: Access { ordering: Ordering::Release, .. }, .. }));
    assert!(matches!(code[2].op, Op::Fence { ordering: Ordering::SeqCst, single_thread: true }));
    let Op::CmpXchg(exchange) = &code[3].op else { panic!() };
    assert!(exchange.weak && exchange.access.volatile);
    assert_eq!((exchange.access.ordering, exchange.failure), (Ordering::AcqRel, Ordering::Monotonic));
    assert_eq!(module.functions[0].locals[code[4].result.unwrap().0 as usize].ty, Types::I1);
    assert!(matches!(code[5].op, Op::AtomicRmw { op: RmwOp::UMax, .. }));
    assert!(matches!(code[7].op, Op::Alloca { count: Some(_), align: Some(16), .. }));
}

#[test]
fn calls_in_all_their_forms() {
    let (module, code) = body(
        r#"  %1 = tail call fastcc noundef zeroext i8 @g(ptr noundef nonnull align 8 dereferenceable(16) %p) #3
  call void %p(ptr byval(%struct.s) align 4 %p, ptr sret({ i32, i64 }) %p) nounwind
  %2 = call i32 asm sideeffect alignstack inteldialect "add $1, $0", "=r,r,~{memory}"(i32 %a) #1, !srcloc !7
  call void (i32, ...) @h(i32 0, double %d, i32 inreg range(i32 0, 9) %a), !dbg !1
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p) ]
  %3 = call fast cc 10 double @k(double nofpclass(nan inf) %d) memory(argmem: readwrite, inaccessiblemem: none) "x"="y"
  musttail call addrspace(0) void @f(ptr captures(ret: address) %p, i32 %a, i32 %b, double %d)
  %4 = call ptr @llvm.frameaddress.p0(i32 immarg 0)
  call void @llvm.write_register.i64(metadata !"rsp", i64 0)
  call void null()"#,
    );
    let call = |index: usize| match &code[index].op {
        Op::Call(call) => call,
        other => panic!("{other:?}"),
    };
    assert!(call(0).return_attributes.zeroext);
    assert_eq!(call(0).arguments[0].attributes.align, Some(8));
    assert!(matches!(call(1).callee, Callee::Value(Value::Local(LocalId(0)))));
    let byval = call(1).arguments[0].attributes.byval.unwrap();
    assert!(matches!(module.types.get(byval), Type::Named(_)));
    assert!(call(1).arguments[1].attributes.sret.is_some());
    assert!(call(1).attributes.flags.has(AttributeFlags::NOUNWIND));
    let Callee::InlineAsm(asm) = &call(2).callee else { panic!() };
    assert_eq!((&*asm.text, &*asm.constraints, asm.side_effect), ("add $1, $0", "=r,r,~{memory}", true));
    assert!(call(3).function_type.is_some() && call(3).arguments[2].attributes.inreg);
    assert!(code[3].dbg.is_some());
    assert_eq!(call(4).bundles.len(), 2);
    assert!(call(6).must_tail);
    assert!(matches!(call(8).arguments[0].operand.value, Value::Metadata(_)));
}

#[test]
fn branches_and_exceptions() {
    let module = read(
        r#"define i32 @f(ptr %p, i32 %a) personality ptr @pers {
start:
  switch i32 %a, label %"a b" [
    i32 1, label %one
    i32 -2, label %one
  ], !dbg !3
one:
  indirectbr ptr %p, [label %start, label %"a b"]
"a b":
  %x = invoke i32 @g() #1
          to label %good unwind label %bad
good:
  ret i32 %x
bad:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  callbr void asm "", "!i"() to label %next [label %good2]
next:
  resume { ptr, i32 } %l
good2:
  unreachable
}
declare i32 @pers(...)
declare i32 @g()
!3 = !{}
"#,
    );
    let function = module.function("f").unwrap();
    assert_eq!(function.blocks.len(), 7);
    let Op::Switch { cases, default, .. } = &function.blocks[0].instructions[0].op else { panic!() };
    assert_eq!((cases.len(), *default, cases[1].1), (2, BlockId(2), BlockId(1)));
    assert_eq!(module.text(function.blocks[2].label), "a b");
    assert!(matches!(
        function.blocks[2].instructions[0].op,
        Op::Invoke { normal: BlockId(3), unwind: BlockId(4), .. }
    ));
}

#[test]
fn unknown_instructions_are_kept_as_text() {
    let (module, code) = body(
        "  %1 = frobnicate i32 %a, [
    i32 7 ], !dbg !1 ; comment
  %2 = add i32 %1, 1
  atomicrmw superadd ptr %p, i32 1 seq_cst
  %pad = cleanuppad within none []
  cleanupret from %pad unwind to caller
next:",
    );
    let Op::Other(other) = &code[0].op else { panic!() };
    assert_eq!(module.text(other.opcode), "frobnicate");
    assert!(other.text.starts_with("frobnicate i32 %a") && other.text.ends_with("!dbg !1"), "{}", other.text);
    assert!(
        matches!(&code[2].op, Op::Other(other) if &*other.text == "atomicrmw superadd ptr %p, i32 1 seq_cst")
    );
    assert!(code[4].op.is_terminator());
    assert!(matches!(code[5].op, Op::Ret(None)));
}

#[test]
fn functions_may_return_pointers_to_functions() {
    let module = read(
        "define void (i32)* @f(void (i32)* %0) {\n  ret void (i32)* %0\n}\ndefine void @g(void (i32)* (i8)* %0) {\n  %2 = call void (i32)* %0(i8 1)\n  call void %2(i32 3)\n  ret void\n}\n",
    );
    assert_eq!(module.function("f").unwrap().returns, Types::PTR);
    assert!(matches!(module.function("f").unwrap().blocks[0].instructions[0].op, Op::Ret(Some(_))));
}

#[test]
fn old_style_calls_go_through_casts() {
    let (_, code) =
        body("  %1 = call i32 (i32, ...) bitcast (i32 ()* @k to i32 (i32, ...)*)(i32 %a, double %d) #1");
    let Op::Call(call) = &code[0].op else { panic!() };
    assert!(matches!(call.callee, Callee::Value(Value::Const(_))));
    assert_eq!(call.arguments.len(), 2);
}

#[test]
fn vectors() {
    let (_, code) = body(
        "  %v = insertelement <4 x i32> poison, i32 %a, i64 0
  %w = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer
  %x = shufflevector <4 x i32> %w, <4 x i32> %v, <2 x i32> <i32 5, i32 undef>
  %y = add <2 x i32> %x, splat (i32 3)
  %z = icmp eq <2 x i32> %y, <i32 1, i32 2>
  %g = getelementptr i8, ptr %p, <2 x i32> %y
  %e = extractelement <2 x ptr> %g, i32 1
  %s = select <2 x i1> %z, <2 x i32> %x, <2 x i32> %y",
    );
    assert!(matches!(&code[1].op, Op::ShuffleVector { mask, .. } if **mask == [Some(0); 4]));
    assert!(matches!(&code[2].op, Op::ShuffleVector { mask, .. } if **mask == [Some(5), None]));
}

#[test]
fn constants_of_every_kind() {
    let module = read(
        r#"@i = global i128 -2
@w = global i65 36893488147419103231
@h = global i8 s0xFF
@f = global float 0x3FB99999A0000000
@k = global x86_fp80 0xK3FFF8000000000000000
@q = global fp128 0xL00000000000000003FFF000000000000
@s = global [3 x i8] c"\22\\\FF"
@p = global <{ i8, ptr }> <{ i8 1, ptr @"odd \22name" }>
@g = global ptr getelementptr inbounds nuw ([4 x i32], ptr @a, i64 0, i64 2)
@r = global ptr getelementptr inbounds inrange(-8, 16) (i8, ptr @a, i64 8)
@d = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))
@c = global i1 icmp eq (ptr @a, ptr @b)
@e = global i32 select (i1 true, i32 1, i32 2)
@b = global ptr blockaddress(@fun, %target)
@n = global [2 x ptr] [ptr dso_local_equivalent @fun, ptr no_cfi @fun]
@a = common dso_local global [4 x i32] zeroinitializer, section "x", comdat, align 16
@"odd \22name" = weak_odr hidden unnamed_addr constant {} undef
@al = internal alias i32, getelementptr (i32, ptr @a, i64 1)
@if = dso_local ifunc i32 (), ptr @fun
@llvm.used = appending global [1 x ptr] [ptr @a], section "llvm.metadata"
$comdat = comdat any
module asm ".globl x"
^0 = module: (path: "a", hash: (0, 1))
define void @fun() prefix i32 3 {
  br label %target
target:
  ret void
}
"#,
    );
    let kind = |name: &str| &module.constant(module.variable(name).unwrap().initializer.unwrap()).kind;
    assert!(matches!(kind("i"), ConstKind::Wide(words) if **words == [u64::MAX - 1, u64::MAX]));
    assert!(matches!(kind("w"), ConstKind::Wide(words) if **words == [u64::MAX, 1]));
    assert!(matches!(kind("h"), ConstKind::Int(255)));
    assert!(matches!(kind("f"), ConstKind::Float(bits) if f32::from_bits(*bits as u32) == 0.1));
    assert!(matches!(kind("k"), ConstKind::Wide(words) if **words == [1 << 63, 0x3fff]));
    assert!(matches!(kind("q"), ConstKind::Wide(words) if **words == [0, 0x3fff << 48]));
    assert!(matches!(kind("s"), ConstKind::Bytes(bytes) if **bytes == *b"\"\\\xff"));
    let ConstKind::Expr(expression) = kind("g") else { panic!() };
    assert!(matches!(&**expression, ConstExpr::Gep { indices, .. } if indices.len() == 2));
    assert!(
        matches!(kind("d"), ConstKind::Expr(e) if matches!(**e, ConstExpr::Binary { op: BinaryOp::Sub, .. }))
    );
    let ConstKind::BlockAddress { function, label } = kind("b") else { panic!() };
    assert_eq!(module.text(*function), "fun");
    assert_eq!(module.function("fun").unwrap().block_by_label(*label), Some(BlockId(1)));
    assert!(module.variable("odd \"name").unwrap().constant);
    assert_eq!(module.aliases.len(), 2);
    assert!(module.aliases[1].ifunc);
    assert_eq!(&*module.asm[0], ".globl x");
}

#[test]
fn debug_records_of_every_kind() {
    let (module, code) = body(
        "    #dbg_value(!DIArgList(i32 %a, i32 %b), !1, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_plus_uconst, 8), !2)
    #dbg_assign(i1 undef, !1, !DIExpression(), !3, ptr %p, !DIExpression(), !2)
    #dbg_label(!4, !2)
    #dbg_value(!{}, !1, !DIExpression(), !2)
    #dbg_future(i32 %a, !1)
  call void @llvm.dbg.value(metadata !DIArgList(i32 %a, i32 %b), metadata !1, metadata !DIExpression()), !dbg !2",
    );
    let record = |index: usize| match &code[index].op {
        Op::Debug(record) => record,
        other => panic!("{other:?}"),
    };
    assert_eq!((record(0).kind, record(0).operands.len()), (DebugKind::Value, 2));
    let MetaNode::Expression(items) = module.meta(record(0).expression.unwrap()) else { panic!() };
    assert_eq!(items[3], ExpressionItem::Number(8));
    assert_eq!(record(1).kind, DebugKind::Assign);
    assert_eq!(record(1).address.unwrap().value, Value::Local(LocalId(0)));
    assert_eq!((record(2).kind, record(2).location), (DebugKind::Label, record(0).location));
    assert!(record(3).operands.is_empty());
    assert_eq!((record(4).kind, record(4).operands.len()), (DebugKind::Value, 2));
    assert_eq!((record(4).variable, record(4).location), (record(0).variable, record(0).location));
}

#[test]
fn array_bounds_may_be_numbers_or_variables() {
    let module = read(
        "!0 = !DISubrange(count: 12, lowerBound: 0)\n!1 = !DISubrange(count: !2)\n!2 = !DILocalVariable(name: \"__vla_expr0\", scope: null, flags: DIFlagArtificial)\n!3 = !DISubrange(count: -1)\n!4 = !DIEnumerator(name: \"A\", value: -3)\n!5 = !DICompositeType(tag: DW_TAG_array_type, size: 4, flags: DIFlagVector | DIFlagFwdDecl)\n",
    );
    assert!(matches!(module.metadata[0], MetaNode::Subrange { count: Count::Known(12), lower: 0 }));
    assert!(
        module.metadata.iter().any(|node| matches!(node, MetaNode::Subrange { count: Count::Node(_), .. }))
    );
    assert!(
        module.metadata.iter().any(|node| matches!(node, MetaNode::Subrange { count: Count::Unknown, .. }))
    );
    assert!(module.metadata.iter().any(|node| matches!(node, MetaNode::Enumerator { value: -3, .. })));
    assert!(module.metadata.iter().any(|node| match node {
        MetaNode::CompositeType(ty) => ty.vector && ty.forward && ty.tag == Tag::Array,
        _ => false,
    }));
}

#[test]
fn errors_name_what_and_where() {
    fails("define void @f() {\n  ret void\n", 3, "expected an instruction, found the end");
    fails("define void @f() {\n  %1 = add i32 %2, 1\n  ret void\n}\n", 2, "%2 is used and never defined");
    fails("define void @f() {\n  br label %x\n}\n", 2, "the block %x is used and never defined");
    fails("define void @f() {\n  %x = add i32 1, 1\n  %x = add i32 1, 1\n  ret void\n}", 3, "defined twice");
    fails("@a = global i32 0\n@a = global i32 0\n", 2, "@a is defined twice");
    fails("%a = type { i32 }\n%a = type { i32 }\n", 2, "%a is defined twice");
    fails("@a = global i8 999999999999999999999999\n", 1, "does not fit into 8 bits");
    fails("int main(void) { return 0; }\n", 1, "expected a definition, found `int`");
    fails("@a = global [2 x i8] c\"ab\n", 1, "expected a value");
    fails("define void @f() {\n}\n", 2, "at least one block");
    fails("define void @f() {\n  %1 = extractvalue { i32 } undef, 3\n  ret void\n}", 2, "no such part");
    fails("\u{7f}ELF", 1, "expected a definition");
}

/// Texts that parse word by word and make no sense as a whole.
#[test]
fn nonsense_is_refused() {
    let inside = |text: &str, message: &str| {
        let head = "define i32 @f(ptr %p, i32 %a, double %d) {\nb:";
        fails(&format!("{head}\n{text}\n  ret i32 0\n}}\n{SURROUNDINGS}"), 3, message);
    };
    inside("%x = load i32, ptr %a", "another type than it has");
    inside("%x = load i32, i32 %a", "not a pointer");
    inside("%x = add i32 %d, 1", "another type than it has");
    inside("%x = add double %d, 1.0", "not integers");
    inside("%x = trunc i32 %a to i64", "no such conversion");
    inside("%x = icmp eq double %d, %d", "only integers and pointers");
    inside("%x = select i32 %a, i32 1, i32 2", "an i1");
    inside("%x = load i32, ptr %p, align 9", "not a power of two");
    inside("%x = load atomic i32, ptr %p release, align 4", "cannot release");
    inside("fence monotonic", "acquire or release");
    inside("%x = phi i32 [ 1, %b ]", "phi node");
    inside("ret double %d", "type of the function's result");
    inside("switch i32 %a, label %b [ i32 1, label %b i32 1, label %b ]", "are equal");
    inside("switch i32 %a, label %b [ i64 1, label %b ]", "type of the switch");
    inside("store void undef, ptr %p", "does not fit its type");
    inside("%x = insertvalue { i32, i8 } undef, i32 1, 1", "the part has another type");
    inside("%x = extractvalue [2 x i8] undef, 2", "no such part");
    inside("store i32 zext (i8 @h to i32), ptr %p", "does not fit its type");
    inside("call void @missing()", "@missing is used and never declared");
    inside("store i32 1, ptr %p, !dbg !99", "!99 is used and never defined");
    fails("@a = global [3 x i8] c\"ab\"\n", 1, "does not fit its type");
    fails("@a = global { i32, i8 } { i8 1, i32 2 }\n", 1, "does not fit its type");
    fails("@a = global i32 0, align 3\n", 1, "not a power of two");
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    for (open, rest) in [("[1 x ", ""), ("{ ", ""), ("<{ ", ""), ("i32 (", ""), ("%a (", "")] {
        fails(&format!("@a = global {}{rest}", open.repeat(100_000)), 1, "nested too deep");
    }
    fails(&format!("@a = global i32 {}", "add (i32 ".repeat(100_000)), 1, "nested too deep");
    fails(&format!("!0 = {}", "!{".repeat(100_000)), 1, "nested too deep");
    fails(&format!("!0 = {}", "!DIFile(filename: ".repeat(100_000)), 1, "nested too deep");
}

#[test]
fn a_text_that_is_cut_anywhere_is_read_or_refused() {
    for text in [TYPED, &opaque()] {
        for end in 0..text.len() {
            let _ = parse(&text.as_bytes()[..end]);
        }
    }
}

#[test]
fn a_text_with_a_wrong_byte_anywhere_is_read_or_refused() {
    for byte in [b'\0', b'"', b'}', b'9', b'%', b'!', 0xff] {
        let mut text = TYPED.as_bytes().to_vec();
        for position in (0..text.len()).step_by(3) {
            let before = std::mem::replace(&mut text[position], byte);
            if let Ok(module) = parse(&text) {
                Layout::new(&module);
            }
            text[position] = before;
        }
    }
}
