//! Arithmetic types in C text that is written for the user.

/// Any value of an arithmetic type.
pub fn any(scalar: &str) -> String {
    let word = match scalar {
        "_Bool" | "bool" => "bool",
        "char" => "char",
        "signed char" => "schar",
        "unsigned char" => "uchar",
        "short" => "short",
        "unsigned short" => "ushort",
        "unsigned int" => "uint",
        "long" | "long int" => "long",
        "unsigned long" | "long unsigned int" => "ulong",
        "long long" | "__int128" => "llong",
        "unsigned long long" | "unsigned __int128" => "ullong",
        "float" => "float",
        "double" | "long double" => "double",
        _ => "int",
    };
    format!("raddle_any_{word}()")
}
