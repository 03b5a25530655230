; ModuleID = 'seed2.c'
source_filename = "seed2.c"
target datalayout = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128"
target triple = "i386-pc-linux-gnu"

%struct.P = type { double, double }

@b = dso_local local_unnamed_addr global [8 x float] zeroinitializer, align 4
@a = dso_local local_unnamed_addr global [8 x float] zeroinitializer, align 4
@p = dso_local local_unnamed_addr global %struct.P zeroinitializer, align 8
@sum = dso_local local_unnamed_addr global i32 0, align 4

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: write, inaccessiblemem: none) uwtable
define dso_local void @move(ptr dead_on_unwind noalias nocapture writable writeonly sret(%struct.P) align 4 %0, double %1, double %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = sitofp i32 %3 to float
  %6 = load float, ptr @b, align 4, !tbaa !6
  %7 = load float, ptr @a, align 4, !tbaa !6
  %8 = tail call float @llvm.fmuladd.f32(float %6, float %5, float %7)
  store float %8, ptr @a, align 4, !tbaa !6
  %9 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 4), align 4, !tbaa !6
  %10 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 4), align 4, !tbaa !6
  %11 = tail call float @llvm.fmuladd.f32(float %9, float %5, float %10)
  store float %11, ptr getelementptr inbounds (i8, ptr @a, i32 4), align 4, !tbaa !6
  %12 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 8), align 4, !tbaa !6
  %13 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 8), align 4, !tbaa !6
  %14 = tail call float @llvm.fmuladd.f32(float %12, float %5, float %13)
  store float %14, ptr getelementptr inbounds (i8, ptr @a, i32 8), align 4, !tbaa !6
  %15 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 12), align 4, !tbaa !6
  %16 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 12), align 4, !tbaa !6
  %17 = tail call float @llvm.fmuladd.f32(float %15, float %5, float %16)
  store float %17, ptr getelementptr inbounds (i8, ptr @a, i32 12), align 4, !tbaa !6
  %18 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 16), align 4, !tbaa !6
  %19 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 16), align 4, !tbaa !6
  %20 = tail call float @llvm.fmuladd.f32(float %18, float %5, float %19)
  store float %20, ptr getelementptr inbounds (i8, ptr @a, i32 16), align 4, !tbaa !6
  %21 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 20), align 4, !tbaa !6
  %22 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 20), align 4, !tbaa !6
  %23 = tail call float @llvm.fmuladd.f32(float %21, float %5, float %22)
  store float %23, ptr getelementptr inbounds (i8, ptr @a, i32 20), align 4, !tbaa !6
  %24 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 24), align 4, !tbaa !6
  %25 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 24), align 4, !tbaa !6
  %26 = tail call float @llvm.fmuladd.f32(float %24, float %5, float %25)
  store float %26, ptr getelementptr inbounds (i8, ptr @a, i32 24), align 4, !tbaa !6
  %27 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 28), align 4, !tbaa !6
  %28 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 28), align 4, !tbaa !6
  %29 = tail call float @llvm.fmuladd.f32(float %27, float %5, float %28)
  store float %29, ptr getelementptr inbounds (i8, ptr @a, i32 28), align 4, !tbaa !6
  %30 = fadd double %1, %2
  store double %30, ptr %0, align 4, !tbaa !10
  %31 = getelementptr inbounds i8, ptr %0, i32 8
  store double %2, ptr %31, align 4, !tbaa !10
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #1

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #2 {
  %1 = load double, ptr @p, align 8, !tbaa !12
  %2 = load double, ptr getelementptr inbounds (i8, ptr @p, i32 8), align 8, !tbaa !14
  %3 = load float, ptr @b, align 4, !tbaa !6, !noalias !15
  %4 = load float, ptr @a, align 4, !tbaa !6, !noalias !15
  %5 = tail call float @llvm.fmuladd.f32(float %3, float 3.000000e+00, float %4)
  store float %5, ptr @a, align 4, !tbaa !6, !noalias !15
  %6 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 4), align 4, !tbaa !6, !noalias !15
  %7 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 4), align 4, !tbaa !6, !noalias !15
  %8 = tail call float @llvm.fmuladd.f32(float %6, float 3.000000e+00, float %7)
  store float %8, ptr getelementptr inbounds (i8, ptr @a, i32 4), align 4, !tbaa !6, !noalias !15
  %9 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 8), align 4, !tbaa !6, !noalias !15
  %10 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 8), align 4, !tbaa !6, !noalias !15
  %11 = tail call float @llvm.fmuladd.f32(float %9, float 3.000000e+00, float %10)
  store float %11, ptr getelementptr inbounds (i8, ptr @a, i32 8), align 4, !tbaa !6, !noalias !15
  %12 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 12), align 4, !tbaa !6, !noalias !15
  %13 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 12), align 4, !tbaa !6, !noalias !15
  %14 = tail call float @llvm.fmuladd.f32(float %12, float 3.000000e+00, float %13)
  store float %14, ptr getelementptr inbounds (i8, ptr @a, i32 12), align 4, !tbaa !6, !noalias !15
  %15 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 16), align 4, !tbaa !6, !noalias !15
  %16 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 16), align 4, !tbaa !6, !noalias !15
  %17 = tail call float @llvm.fmuladd.f32(float %15, float 3.000000e+00, float %16)
  store float %17, ptr getelementptr inbounds (i8, ptr @a, i32 16), align 4, !tbaa !6, !noalias !15
  %18 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 20), align 4, !tbaa !6, !noalias !15
  %19 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 20), align 4, !tbaa !6, !noalias !15
  %20 = tail call float @llvm.fmuladd.f32(float %18, float 3.000000e+00, float %19)
  store float %20, ptr getelementptr inbounds (i8, ptr @a, i32 20), align 4, !tbaa !6, !noalias !15
  %21 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 24), align 4, !tbaa !6, !noalias !15
  %22 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 24), align 4, !tbaa !6, !noalias !15
  %23 = tail call float @llvm.fmuladd.f32(float %21, float 3.000000e+00, float %22)
  store float %23, ptr getelementptr inbounds (i8, ptr @a, i32 24), align 4, !tbaa !6, !noalias !15
  %24 = load float, ptr getelementptr inbounds (i8, ptr @b, i32 28), align 4, !tbaa !6, !noalias !15
  %25 = load float, ptr getelementptr inbounds (i8, ptr @a, i32 28), align 4, !tbaa !6, !noalias !15
  %26 = tail call float @llvm.fmuladd.f32(float %24, float 3.000000e+00, float %25)
  store float %26, ptr getelementptr inbounds (i8, ptr @a, i32 28), align 4, !tbaa !6, !noalias !15
  %27 = fadd double %1, %2
  store double %27, ptr @p, align 8, !tbaa !10
  %28 = load i32, ptr @sum, align 4, !tbaa !18
  br label %31

29:                                               ; preds = %31
  store i32 %48, ptr @sum, align 4, !tbaa !18
  tail call void asm sideeffect "", "~{memory},~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !20
  %30 = load i32, ptr @sum, align 4, !tbaa !18
  ret i32 %30

31:                                               ; preds = %31, %0
  %32 = phi i32 [ 0, %0 ], [ %49, %31 ]
  %33 = phi i32 [ %28, %0 ], [ %48, %31 ]
  %34 = and i32 %32, 6
  %35 = getelementptr inbounds [8 x float], ptr @a, i32 0, i32 %34
  %36 = load float, ptr %35, align 4, !tbaa !6
  %37 = fcmp ogt float %36, 2.000000e+00
  %38 = sub nsw i32 0, %32
  %39 = select i1 %37, i32 %32, i32 %38
  %40 = add nsw i32 %39, %33
  %41 = or disjoint i32 %32, 1
  %42 = and i32 %41, 7
  %43 = getelementptr inbounds [8 x float], ptr @a, i32 0, i32 %42
  %44 = load float, ptr %43, align 4, !tbaa !6
  %45 = fcmp ogt float %44, 2.000000e+00
  %46 = sub nsw i32 0, %41
  %47 = select i1 %45, i32 %41, i32 %46
  %48 = add nsw i32 %47, %40
  %49 = add nuw nsw i32 %32, 2
  %50 = icmp eq i32 %49, 100
  br i1 %50, label %29, label %31, !llvm.loop !21
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, argmem: write, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="i686" "target-features"="+cmov,+cx8,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="i686" "target-features"="+cmov,+cx8,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"NumRegisterParameters", i32 0}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 8, !"PIC Level", i32 2}
!3 = !{i32 7, !"PIE Level", i32 2}
!4 = !{i32 7, !"uwtable", i32 2}
!5 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!11, !11, i64 0}
!11 = !{!"double", !8, i64 0}
!12 = !{!13, !11, i64 0}
!13 = !{!"P", !11, i64 0, !11, i64 8}
!14 = !{!13, !11, i64 8}
!15 = !{!16}
!16 = distinct !{!16, !17, !"move: argument 0"}
!17 = distinct !{!17, !"move"}
!18 = !{!19, !19, i64 0}
!19 = !{!"long", !8, i64 0}
!20 = !{i64 274}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.mustprogress"}
