use std::fs;
use std::process::Command;

use super::*;

/// An installation with libraries for both other ABIs, and another one of MPICH's beside it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let place =
            Place(std::env::temp_dir().join(format!("dunlin-{name}-{}", std::process::id())));
        for folder in ["lib/mpich", "lib/openmpi", "other"] {
            fs::create_dir_all(place.0.join(folder)).unwrap();
        }
        fs::write(place.0.join("empty.c"), "").unwrap();
        fs::write(place.0.join("main.c"), "int main(void) { return 0; }").unwrap();
        for library in ["lib/mpich/libmpi.so.12", "lib/openmpi/libmpi.so.40", "other/libmpi.so.12"]
        {
            place.library(library);
        }
        place.library("other/libmpi_mpifh.so.40");
        place.library("other/libmpicxx.so.12");
        place
    }

    fn lib(&self) -> PathBuf {
        self.0.join("lib")
    }

    fn library(&self, file: &str) {
        let soname = file.rsplit('/').next().unwrap();
        self.compile(&format!("{file} -shared -fPIC -Wl,-soname,{soname} empty.c"));
    }

    fn compile(&self, words: &str) -> PathBuf {
        let mut words = words.split(' ');
        let made = self.0.join(words.next().unwrap());
        let mut compiler = Command::new("cc");
        compiler.current_dir(&self.0).arg("-Wl,--no-as-needed").arg("-o").arg(&made);
        let done = compiler.args(words).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        made
    }

    fn choose(&self, choice: Choice, program: &Path) -> Result<Service, Failure> {
        choose(choice, &self.lib(), program, |_| None)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn folder(abi: Abi, place: &Place, preload: &[&str]) -> Result<Service, Failure> {
    let folder = abi.folder(&place.lib());
    let preload = preload.iter().map(|library| folder.join(library)).collect();
    Ok(Service::Folder { abi, folder, preload })
}

#[test]
fn a_program_that_finds_no_library_of_the_standard_abi_gets_ours() {
    let place = Place::new("lost");
    place.library("lib/libmpi_abi.so.1");
    let program = place.compile("lost main.c lib/libmpi_abi.so.1");
    assert_eq!(place.choose(Choice::Auto, &program), folder(Abi::Standard, &place, &[]));
    assert_eq!(place.choose(Choice::None, &program), Ok(Service::Nothing));
    let program = place.compile("found main.c lib/libmpi_abi.so.1 -Wl,-rpath,$ORIGIN/lib");
    assert_eq!(place.choose(Choice::Auto, &program), Ok(Service::Nothing));
}

#[test]
fn a_program_gets_the_library_of_its_abi() {
    let place = Place::new("gets");
    let program = place.compile("newer main.c other/libmpi.so.12 -Wl,-rpath,$ORIGIN/other");
    assert_eq!(place.choose(Choice::Auto, &program), folder(Abi::Mpich, &place, &[]));
    assert_eq!(place.choose(Choice::None, &program), Ok(Service::Nothing));
    assert_eq!(place.choose(Choice::OpenMpi, &program), folder(Abi::OpenMpi, &place, &[]));
    let words = "older main.c other/libmpi.so.12 -Wl,--disable-new-dtags,-rpath,$ORIGIN/other";
    let program = place.compile(words);
    let service = folder(Abi::Mpich, &place, &["libmpi.so.12"]);
    assert_eq!(place.choose(Choice::Auto, &program), service, "DT_RPATH goes before");
    let soname = "-Wl,-soname,libown.so";
    let library = "other/libown.so -shared -fPIC empty.c lib/openmpi/libmpi.so.40";
    place.compile(&format!("{library} {soname}"));
    let program = place.compile("deep main.c other/libown.so -Wl,-rpath,$ORIGIN/other");
    assert_eq!(place.choose(Choice::Auto, &program), folder(Abi::OpenMpi, &place, &[]));
}

#[test]
fn what_dunlin_lacks_is_left_to_the_other_library_but_for_that_of_cxx() {
    let place = Place::new("lacks");
    let program = place.compile("fortran main.c other/libmpi_mpifh.so.40 lib/openmpi/libmpi.so.40");
    let service = place.choose(Choice::Auto, &program);
    assert_eq!(service, Ok(Service::Lacks("libmpi_mpifh.so.40".into())));
    let program = place.compile("cxx main.c other/libmpicxx.so.12 other/libmpi.so.12");
    assert_eq!(place.choose(Choice::Auto, &program), folder(Abi::Mpich, &place, &[]));
}

#[test]
fn what_scripts_start_finds_the_libraries_of_both_other_abis() {
    let place = Place::new("scripts");
    let (script, library) = (place.0.join("main.c"), place.lib().join("mpich/libmpi.so.12"));
    let folders = [Abi::Mpich, Abi::OpenMpi].map(|abi| abi.folder(&place.lib())).to_vec();
    let told = Service::Script { folders: folders.clone(), mpi4py: Some(library.clone()) };
    assert_eq!(place.choose(Choice::Auto, &script), Ok(told));
    let says = |name: &str| (name == MPI4PY_ABI).then(|| "openmpi".into());
    let untold = Service::Script { folders, mpi4py: None };
    assert_eq!(choose(Choice::Auto, &place.lib(), &script, says), Ok(untold));
    assert_eq!(place.choose(Choice::None, &script), Ok(Service::Nothing));
    let named = folder(Abi::Mpich, &place, &["libmpi.so.12"]);
    assert_eq!(place.choose(Choice::Mpich, &script), named, "whatever it looks for first");
    let failure = place.choose(Choice::Standard, &script).unwrap_err();
    assert!(failure.text.contains("--abi is standard") && failure.status == 126, "{failure:?}");
    let nowhere = choose(Choice::Auto, &place.0, &script, |_| None);
    assert_eq!(nowhere, Ok(Service::Nothing), "as before where there are no such libraries");
}

#[test]
fn variables_come_first_and_keep_what_they_had() {
    let mut env = vec![(LIBRARY_PATH.into(), "/x".into()), (PRELOAD.into(), "/t".into())];
    let preload = vec!["/l/a".into(), "/l/b".into()];
    Service::Folder { abi: Abi::Mpich, folder: "/l".into(), preload }.apply(&mut env);
    assert_eq!(value(&env, LIBRARY_PATH), Some("/l:/x".into()));
    assert_eq!(value(&env, PRELOAD), Some("/t:/l/a:/l/b".into()), "tools come first");
    assert_eq!(value(&env, MPI4PY_LIBRARY), Some("/l/libmpi.so.12".into()));
    assert_eq!(env.len(), 3);
}

#[test]
fn the_folders_for_scripts_come_before_what_the_path_had() {
    let mut env = vec![(LIBRARY_PATH.into(), "/x".into())];
    let folders = vec!["/l/mpich".into(), "/l/openmpi".into()];
    Service::Script { folders, mpi4py: Some("/l/m".into()) }.apply(&mut env);
    assert_eq!(value(&env, LIBRARY_PATH), Some("/l/mpich:/l/openmpi:/x".into()));
    assert_eq!(value(&env, MPI4PY_LIBRARY), Some("/l/m".into()));
}
