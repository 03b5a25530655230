; ModuleID = 'seed2.c'
source_filename = "seed2.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.P = type { double, double }

@b = dso_local local_unnamed_addr global [8 x float] zeroinitializer, align 16
@a = dso_local local_unnamed_addr global [8 x float] zeroinitializer, align 16
@p = dso_local local_unnamed_addr global %struct.P zeroinitializer, align 8
@sum = dso_local local_unnamed_addr global i64 0, align 8

; Function Attrs: nofree nosync nounwind uwtable
define dso_local { double, double } @move(double %0, double %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = sitofp i32 %2 to float
  %5 = load <4 x float>, <4 x float>* bitcast ([8 x float]* @b to <4 x float>*), align 16, !tbaa !5
  %6 = load <4 x float>, <4 x float>* bitcast ([8 x float]* @a to <4 x float>*), align 16, !tbaa !5
  %7 = insertelement <4 x float> poison, float %4, i64 0
  %8 = shufflevector <4 x float> %7, <4 x float> poison, <4 x i32> zeroinitializer
  %9 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %5, <4 x float> %8, <4 x float> %6)
  store <4 x float> %9, <4 x float>* bitcast ([8 x float]* @a to <4 x float>*), align 16, !tbaa !5
  %10 = load <4 x float>, <4 x float>* bitcast (float* getelementptr inbounds ([8 x float], [8 x float]* @b, i64 0, i64 4) to <4 x float>*), align 16, !tbaa !5
  %11 = load <4 x float>, <4 x float>* bitcast (float* getelementptr inbounds ([8 x float], [8 x float]* @a, i64 0, i64 4) to <4 x float>*), align 16, !tbaa !5
  %12 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %10, <4 x float> %8, <4 x float> %11)
  store <4 x float> %12, <4 x float>* bitcast (float* getelementptr inbounds ([8 x float], [8 x float]* @a, i64 0, i64 4) to <4 x float>*), align 16, !tbaa !5
  %13 = fadd double %0, %1
  %14 = insertvalue { double, double } poison, double %13, 0
  %15 = insertvalue { double, double } %14, double %1, 1
  ret { double, double } %15
}

; Function Attrs: nounwind uwtable
define dso_local i32 @main() local_unnamed_addr #1 {
  %1 = load double, double* getelementptr inbounds (%struct.P, %struct.P* @p, i64 0, i32 0), align 8
  %2 = load double, double* getelementptr inbounds (%struct.P, %struct.P* @p, i64 0, i32 1), align 8
  %3 = load <4 x float>, <4 x float>* bitcast ([8 x float]* @b to <4 x float>*), align 16, !tbaa !5
  %4 = load <4 x float>, <4 x float>* bitcast ([8 x float]* @a to <4 x float>*), align 16, !tbaa !5
  %5 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %3, <4 x float> <float 3.000000e+00, float 3.000000e+00, float 3.000000e+00, float 3.000000e+00>, <4 x float> %4)
  store <4 x float> %5, <4 x float>* bitcast ([8 x float]* @a to <4 x float>*), align 16, !tbaa !5
  %6 = load <4 x float>, <4 x float>* bitcast (float* getelementptr inbounds ([8 x float], [8 x float]* @b, i64 0, i64 4) to <4 x float>*), align 16, !tbaa !5
  %7 = load <4 x float>, <4 x float>* bitcast (float* getelementptr inbounds ([8 x float], [8 x float]* @a, i64 0, i64 4) to <4 x float>*), align 16, !tbaa !5
  %8 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %6, <4 x float> <float 3.000000e+00, float 3.000000e+00, float 3.000000e+00, float 3.000000e+00>, <4 x float> %7)
  store <4 x float> %8, <4 x float>* bitcast (float* getelementptr inbounds ([8 x float], [8 x float]* @a, i64 0, i64 4) to <4 x float>*), align 16, !tbaa !5
  %9 = fadd double %1, %2
  store double %9, double* getelementptr inbounds (%struct.P, %struct.P* @p, i64 0, i32 0), align 8, !tbaa.struct !9
  %10 = load i64, i64* @sum, align 8, !tbaa !12
  br label %14

11:                                               ; preds = %14
  store i64 %35, i64* @sum, align 8, !tbaa !12
  tail call void asm sideeffect "", "~{memory},~{dirflag},~{fpsr},~{flags}"() #3, !srcloc !14
  %12 = load i64, i64* @sum, align 8, !tbaa !12
  %13 = trunc i64 %12 to i32
  ret i32 %13

14:                                               ; preds = %14, %0
  %15 = phi i32 [ 0, %0 ], [ %36, %14 ]
  %16 = phi i64 [ %10, %0 ], [ %35, %14 ]
  %17 = and i32 %15, 6
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds [8 x float], [8 x float]* @a, i64 0, i64 %18
  %20 = load float, float* %19, align 8, !tbaa !5
  %21 = fcmp ogt float %20, 2.000000e+00
  %22 = sub nsw i32 0, %15
  %23 = select i1 %21, i32 %15, i32 %22
  %24 = sext i32 %23 to i64
  %25 = add nsw i64 %16, %24
  %26 = or i32 %15, 1
  %27 = and i32 %26, 7
  %28 = zext i32 %27 to i64
  %29 = getelementptr inbounds [8 x float], [8 x float]* @a, i64 0, i64 %28
  %30 = load float, float* %29, align 4, !tbaa !5
  %31 = fcmp ogt float %30, 2.000000e+00
  %32 = xor i32 %15, -1
  %33 = select i1 %31, i32 %26, i32 %32
  %34 = sext i32 %33 to i64
  %35 = add nsw i64 %25, %34
  %36 = add nuw nsw i32 %15, 2
  %37 = icmp eq i32 %36, 100
  br i1 %37, label %11, label %14, !llvm.loop !15
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>) #2

attributes #0 = { nofree nosync nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{!"Debian clang version 14.0.6"}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{i64 0, i64 8, !10, i64 8, i64 8, !10}
!10 = !{!11, !11, i64 0}
!11 = !{!"double", !7, i64 0}
!12 = !{!13, !13, i64 0}
!13 = !{!"long", !7, i64 0}
!14 = !{i64 274}
!15 = distinct !{!15, !16, !17}
!16 = !{!"llvm.loop.mustprogress"}
!17 = !{!"llvm.loop.isvectorized", i32 1}
