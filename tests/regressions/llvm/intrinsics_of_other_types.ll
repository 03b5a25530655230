; Intrinsics whose arguments are not those that their names promise.
declare double @llvm.fma.f64(double, double, double)
define i32 @main() {
  %1 = call double @llvm.fma.f64(double 1.0)
  %2 = call <2 x double> @llvm.fma.f64(double 1.0, double 1.0, double 1.0)
  %3 = call i32 @llvm.ctpop.i32(double 1.0)
  %4 = call {} @llvm.sadd.with.overflow.i32(i32 1, i32 2)
  %5 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 1, i64 2)
  %6 = call i32 @llvm.vector.reduce.add.v4i32(i32 1)
  %7 = call ptr @llvm.expect.i32(i32 1, i32 1)
  %8 = call i1 @llvm.is.constant.i32()
  %9 = call i32 @llvm.is.fpclass.f64(double 1.0, i32 3)
  %10 = call <2 x i32> @llvm.fptosi.sat.i32.f64(double 1.0)
  %11 = call i32 @llvm.scmp.i32.f64(double 1.0, double 2.0)
  call void @llvm.memcpy.p0.p0.i64(i32 1, ptr null, double 1.0, i1 false)
  call void @llvm.lifetime.start(i64 4)
  ret i32 %3
}
