//! Certificates of the solver's answers of no: checked (`--check-proofs`) and written (`--certificate DIR`) as they come.
//!
//! A certificate shows that the clauses and the ordering have no solution. That they say what the program means is not
//! part of it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use raddle_symbolic::{Certificate, Certify};

use crate::engines::Answer;
use crate::error::DriverError;
use crate::request::SymbolicOptions;

/// What became of the certificates of one search.
#[derive(Default)]
pub struct Certificates {
    folder: Option<PathBuf>,
    check: bool,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    count: u64,
    steps: u64,
    refused: Option<String>,
    unwritten: Option<String>,
}

impl Certificates {
    pub fn of(options: &SymbolicOptions) -> Result<Certificates, DriverError> {
        if let Some(folder) = &options.certificate {
            std::fs::create_dir_all(folder).map_err(|error| {
                let message = format!("the folder {} cannot be made: {error}", folder.display());
                DriverError::usage(message).hint("a folder that can be written, after --certificate")
            })?;
        }
        let (folder, check) = (options.certificate.clone(), options.check_proofs);
        Ok(Certificates { folder, check, seen: Arc::default() })
    }

    /// What the engine hands each certificate to, if certificates are asked for.
    pub fn certify(&self) -> Option<Certify> {
        if !self.check && self.folder.is_none() {
            return None;
        }
        let (folder, check, seen) = (self.folder.clone(), self.check, self.seen.clone());
        Some(Certify(Arc::new(move |certificate: Certificate| {
            let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.count += 1;
            seen.steps += certificate.steps.len() as u64;
            if check && let Err(why) = certificate.check() {
                seen.refused.get_or_insert(why.to_string());
            }
            if let Some(folder) = &folder {
                let file = folder.join(format!("certificate-{}.txt", seen.count));
                if let Err(error) = std::fs::write(&file, certificate.to_text()) {
                    seen.unwritten.get_or_insert(format!("{}: {error}", file.display()));
                }
            }
        })))
    }

    /// A certificate that is refused is an error of the solver: nothing of the search counts.
    pub fn judge(&self, answer: &mut Answer) -> Result<(), DriverError> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = &seen.refused {
            return Err(DriverError::internal(format!("a certificate of the solver is refused: {why}")));
        }
        if let Some(why) = &seen.unwritten {
            return Err(DriverError::usage(format!("a certificate cannot be written: {why}")));
        }
        if self.check || self.folder.is_some() {
            answer
                .report
                .stats
                .add(if self.check { "certificates-checked" } else { "certificates" }, seen.count);
            answer.report.stats.add("certificate-steps", seen.steps);
        }
        Ok(())
    }
}
