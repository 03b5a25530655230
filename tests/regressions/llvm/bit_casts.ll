; The bits of floats as integers and back, and lanes that are joined: were moved between registers of other types.
define i32 @main() {
  %1 = bitcast float 1.0 to i32
  %2 = bitcast i32 %1 to float
  %3 = insertelement <2 x float> undef, float %2, i32 0
  %4 = bitcast <2 x float> %3 to i64
  %5 = bitcast i64 %4 to double
  %6 = bitcast double %5 to <4 x i16>
  %7 = bitcast <4 x i16> %6 to <8 x i8>
  %8 = extractelement <8 x i8> %7, i32 3
  %9 = zext i8 %8 to i32
  ret i32 %9
}
