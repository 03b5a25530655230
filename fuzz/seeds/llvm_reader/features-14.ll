; ModuleID = 'seed1.c'
source_filename = "seed1.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.S = type { i32, [3 x i8], %union.anon, i8 }
%union.anon = type { i64 }
%struct.__va_list_tag = type { i32, i32, i8*, i8* }

@tls = dso_local thread_local global i32 4, align 4
@main.labels = internal global [2 x i8*] [i8* blockaddress(@main, %48), i8* blockaddress(@main, %52)], align 16
@counter = dso_local global i32 0, align 4
@callback = dso_local global i32 (i32, ...)* null, align 8
@table = internal global <{ { i32, [3 x i8], { float, [4 x i8] }, i8, [7 x i8] }, %struct.S, %struct.S }> <{ { i32, [3 x i8], { float, [4 x i8] }, i8, [7 x i8] } { i32 1, [3 x i8] c"ab\00", { float, [4 x i8] } { float 1.500000e+00, [4 x i8] undef }, i8 3, [7 x i8] undef }, %struct.S { i32 2, [3 x i8] zeroinitializer, %union.anon zeroinitializer, i8 0 }, %struct.S zeroinitializer }>, align 16

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %0, i8** noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i8**, align 8
  %6 = alloca i32, align 4
  %7 = alloca i8*, align 8
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca double, align 8
  %12 = alloca i128, align 16
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i8, align 1
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  store i32 0, i32* %3, align 4
  store i32 %0, i32* %4, align 4
  store i8** %1, i8*** %5, align 8
  %18 = load i32, i32* %4, align 4
  %19 = add nsw i32 %18, 2
  store i32 %19, i32* %6, align 4
  %20 = load i32, i32* %6, align 4
  %21 = zext i32 %20 to i64
  %22 = call i8* @llvm.stacksave()
  store i8* %22, i8** %7, align 8
  %23 = alloca i32, i64 %21, align 16
  store i64 %21, i64* %8, align 8
  %24 = load i8**, i8*** %5, align 8
  %25 = getelementptr inbounds i8*, i8** %24, i64 0
  %26 = load i8*, i8** %25, align 8
  %27 = getelementptr inbounds i8, i8* %26, i64 0
  %28 = load i8, i8* %27, align 1
  %29 = sext i8 %28 to i32
  %30 = getelementptr inbounds i32, i32* %23, i64 0
  store i32 %29, i32* %30, align 16
  %31 = load i32, i32* %4, align 4
  switch i32 %31, label %38 [
    i32 1, label %32
    i32 7, label %35
  ]

32:                                               ; preds = %2
  %33 = load i32, i32* %6, align 4
  %34 = add nsw i32 %33, 3
  store i32 %34, i32* %6, align 4
  br label %42

35:                                               ; preds = %2
  %36 = load i32, i32* %6, align 4
  %37 = shl i32 %36, 2
  store i32 %37, i32* %6, align 4
  br label %42

38:                                               ; preds = %2
  %39 = load i32, i32* %4, align 4
  %40 = load i32, i32* %6, align 4
  %41 = sdiv i32 %40, %39
  store i32 %41, i32* %6, align 4
  br label %42

42:                                               ; preds = %38, %35, %32
  %43 = load i32, i32* %6, align 4
  %44 = and i32 %43, 1
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [2 x i8*], [2 x i8*]* @main.labels, i64 0, i64 %45
  %47 = load i8*, i8** %46, align 8
  br label %108

48:                                               ; preds = %108
  store i32 1, i32* %9, align 4
  %49 = load i32, i32* %9, align 4
  %50 = atomicrmw add i32* @counter, i32 %49 monotonic, align 4
  store i32 %50, i32* %10, align 4
  %51 = load i32, i32* %10, align 4
  br label %52

52:                                               ; preds = %48, %108
  store i32 (i32, ...)* @f, i32 (i32, ...)** @callback, align 8
  %53 = load i32 (i32, ...)*, i32 (i32, ...)** @callback, align 8
  %54 = load i32, i32* %6, align 4
  %55 = getelementptr inbounds i32, i32* %23, i64 0
  %56 = load i32, i32* %55, align 16
  %57 = call i32 (i32, ...) %53(i32 noundef %54, i32 noundef %56)
  %58 = load i32, i32* @tls, align 4
  %59 = add nsw i32 %58, %57
  store i32 %59, i32* @tls, align 4
  %60 = load i32, i32* %6, align 4
  %61 = sitofp i32 %60 to double
  %62 = load i32, i32* %6, align 4
  %63 = srem i32 %62, 3
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [3 x %struct.S], [3 x %struct.S]* bitcast (<{ { i32, [3 x i8], { float, [4 x i8] }, i8, [7 x i8] }, %struct.S, %struct.S }>* @table to [3 x %struct.S]*), i64 0, i64 %64
  %66 = getelementptr inbounds %struct.S, %struct.S* %65, i32 0, i32 2
  %67 = bitcast %union.anon* %66 to float*
  %68 = load float, float* %67, align 8
  %69 = fpext float %68 to double
  %70 = fmul double %61, %69
  store double %70, double* %11, align 8
  %71 = load i32, i32* %6, align 4
  %72 = sext i32 %71 to i128
  %73 = load i32, i32* %6, align 4
  %74 = sext i32 %73 to i128
  %75 = mul nsw i128 %72, %74
  store i128 %75, i128* %12, align 16
  store i32 5, i32* %13, align 4
  %76 = load double, double* %11, align 8
  %77 = fptosi double %76 to i32
  store i32 %77, i32* %14, align 4
  %78 = load i32, i32* %13, align 4
  %79 = load i32, i32* %14, align 4
  %80 = cmpxchg i32* @counter, i32 %78, i32 %79 seq_cst seq_cst, align 4
  %81 = extractvalue { i32, i1 } %80, 0
  %82 = extractvalue { i32, i1 } %80, 1
  br i1 %82, label %84, label %83

83:                                               ; preds = %52
  store i32 %81, i32* %13, align 4
  br label %84

84:                                               ; preds = %83, %52
  %85 = zext i1 %82 to i8
  store i8 %85, i8* %15, align 1
  %86 = load i8, i8* %15, align 1
  %87 = trunc i8 %86 to i1
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 bitcast (%struct.S* getelementptr inbounds ([3 x %struct.S], [3 x %struct.S]* bitcast (<{ { i32, [3 x i8], { float, [4 x i8] }, i8, [7 x i8] }, %struct.S, %struct.S }>* @table to [3 x %struct.S]*), i64 0, i64 1) to i8*), i8* align 16 bitcast (<{ { i32, [3 x i8], { float, [4 x i8] }, i8, [7 x i8] }, %struct.S, %struct.S }>* @table to i8*), i64 24, i1 false)
  %88 = load i32, i32* %6, align 4
  %89 = load i32, i32* %13, align 4
  %90 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %88, i32 %89)
  %91 = extractvalue { i32, i1 } %90, 1
  %92 = extractvalue { i32, i1 } %90, 0
  store i32 %92, i32* %16, align 4
  br i1 %91, label %93, label %95

93:                                               ; preds = %84
  %94 = call i32 @unknown(%struct.S* noundef getelementptr inbounds ([3 x %struct.S], [3 x %struct.S]* bitcast (<{ { i32, [3 x i8], { float, [4 x i8] }, i8, [7 x i8] }, %struct.S, %struct.S }>* @table to [3 x %struct.S]*), i64 0, i64 2))
  store i32 %94, i32* %3, align 4
  store i32 1, i32* %17, align 4
  br label %105

95:                                               ; preds = %84
  %96 = load i128, i128* %12, align 16
  %97 = ashr i128 %96, 3
  %98 = trunc i128 %97 to i32
  %99 = load i8, i8* getelementptr inbounds ([3 x %struct.S], [3 x %struct.S]* bitcast (<{ { i32, [3 x i8], { float, [4 x i8] }, i8, [7 x i8] }, %struct.S, %struct.S }>* @table to [3 x %struct.S]*), i64 0, i64 0, i32 3), align 16
  %100 = and i8 %99, 31
  %101 = zext i8 %100 to i32
  %102 = add nsw i32 %98, %101
  %103 = load i32, i32* %16, align 4
  %104 = add nsw i32 %102, %103
  store i32 %104, i32* %3, align 4
  store i32 1, i32* %17, align 4
  br label %105

105:                                              ; preds = %95, %93
  %106 = load i8*, i8** %7, align 8
  call void @llvm.stackrestore(i8* %106)
  %107 = load i32, i32* %3, align 4
  ret i32 %107

108:                                              ; preds = %42
  %109 = phi i8* [ %47, %42 ]
  indirectbr i8* %109, [label %48, label %52]
}

; Function Attrs: nofree nosync nounwind willreturn
declare i8* @llvm.stacksave() #1

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @f(i32 noundef %0, ...) #0 {
  %2 = alloca i32, align 4
  %3 = alloca [1 x %struct.__va_list_tag], align 16
  %4 = alloca i32, align 4
  store i32 %0, i32* %2, align 4
  %5 = getelementptr inbounds [1 x %struct.__va_list_tag], [1 x %struct.__va_list_tag]* %3, i64 0, i64 0
  %6 = bitcast %struct.__va_list_tag* %5 to i8*
  call void @llvm.va_start(i8* %6)
  %7 = getelementptr inbounds [1 x %struct.__va_list_tag], [1 x %struct.__va_list_tag]* %3, i64 0, i64 0
  %8 = getelementptr inbounds %struct.__va_list_tag, %struct.__va_list_tag* %7, i32 0, i32 0
  %9 = load i32, i32* %8, align 16
  %10 = icmp ule i32 %9, 40
  br i1 %10, label %11, label %17

11:                                               ; preds = %1
  %12 = getelementptr inbounds %struct.__va_list_tag, %struct.__va_list_tag* %7, i32 0, i32 3
  %13 = load i8*, i8** %12, align 16
  %14 = getelementptr i8, i8* %13, i32 %9
  %15 = bitcast i8* %14 to i32*
  %16 = add i32 %9, 8
  store i32 %16, i32* %8, align 16
  br label %22

17:                                               ; preds = %1
  %18 = getelementptr inbounds %struct.__va_list_tag, %struct.__va_list_tag* %7, i32 0, i32 2
  %19 = load i8*, i8** %18, align 8
  %20 = bitcast i8* %19 to i32*
  %21 = getelementptr i8, i8* %19, i32 8
  store i8* %21, i8** %18, align 8
  br label %22

22:                                               ; preds = %17, %11
  %23 = phi i32* [ %15, %11 ], [ %20, %17 ]
  %24 = load i32, i32* %23, align 4
  store i32 %24, i32* %4, align 4
  %25 = getelementptr inbounds [1 x %struct.__va_list_tag], [1 x %struct.__va_list_tag]* %3, i64 0, i64 0
  %26 = bitcast %struct.__va_list_tag* %25 to i8*
  call void @llvm.va_end(i8* %26)
  %27 = load i32, i32* %2, align 4
  %28 = load i32, i32* %4, align 4
  %29 = add nsw i32 %27, %28
  ret i32 %29
}

; Function Attrs: argmemonly nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #3

declare i32 @unknown(%struct.S* noundef) #4

; Function Attrs: nofree nosync nounwind willreturn
declare void @llvm.stackrestore(i8*) #1

; Function Attrs: nofree nosync nounwind willreturn
declare void @llvm.va_start(i8*) #1

; Function Attrs: nofree nosync nounwind willreturn
declare void @llvm.va_end(i8*) #1

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind willreturn }
attributes #2 = { argmemonly nofree nounwind willreturn }
attributes #3 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #4 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 14.0.6"}
