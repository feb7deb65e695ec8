! MPI 5.0 for Fortran: the types of the modules mpi and mpi_f08. Generated.
module mpi_f08_types
  use, intrinsic :: iso_c_binding, only: C_INT
  implicit none
  private :: C_INT
  type, bind(C) :: MPI_Status
    integer(C_INT) :: MPI_SOURCE
    integer(C_INT) :: MPI_TAG
    integer(C_INT) :: MPI_ERROR
    integer(C_INT), private :: internal(5)
  end type
  type, bind(C) :: MPI_Comm
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Datatype
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Errhandler
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_File
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Group
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Info
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Message
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Op
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Request
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Session
    integer(C_INT) :: MPI_VAL
  end type
  type, bind(C) :: MPI_Win
    integer(C_INT) :: MPI_VAL
  end type
  interface operator (==)
    module procedure MPI_Comm_eq, MPI_Datatype_eq, MPI_Errhandler_eq, MPI_File_eq, MPI_Group_eq, &
        MPI_Info_eq, MPI_Message_eq, MPI_Op_eq, MPI_Request_eq, MPI_Session_eq, MPI_Win_eq
  end interface
  private :: MPI_Comm_eq, MPI_Datatype_eq, MPI_Errhandler_eq, MPI_File_eq, MPI_Group_eq, &
        MPI_Info_eq, MPI_Message_eq, MPI_Op_eq, MPI_Request_eq, MPI_Session_eq, MPI_Win_eq
  interface operator (/=)
    module procedure MPI_Comm_ne, MPI_Datatype_ne, MPI_Errhandler_ne, MPI_File_ne, MPI_Group_ne, &
        MPI_Info_ne, MPI_Message_ne, MPI_Op_ne, MPI_Request_ne, MPI_Session_ne, MPI_Win_ne
  end interface
  private :: MPI_Comm_ne, MPI_Datatype_ne, MPI_Errhandler_ne, MPI_File_ne, MPI_Group_ne, &
        MPI_Info_ne, MPI_Message_ne, MPI_Op_ne, MPI_Request_ne, MPI_Session_ne, MPI_Win_ne
contains
  elemental logical function MPI_Comm_eq(a, b)
    type(MPI_Comm), intent(in) :: a, b
    MPI_Comm_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Comm_ne(a, b)
    type(MPI_Comm), intent(in) :: a, b
    MPI_Comm_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Datatype_eq(a, b)
    type(MPI_Datatype), intent(in) :: a, b
    MPI_Datatype_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Datatype_ne(a, b)
    type(MPI_Datatype), intent(in) :: a, b
    MPI_Datatype_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Errhandler_eq(a, b)
    type(MPI_Errhandler), intent(in) :: a, b
    MPI_Errhandler_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Errhandler_ne(a, b)
    type(MPI_Errhandler), intent(in) :: a, b
    MPI_Errhandler_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_File_eq(a, b)
    type(MPI_File), intent(in) :: a, b
    MPI_File_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_File_ne(a, b)
    type(MPI_File), intent(in) :: a, b
    MPI_File_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Group_eq(a, b)
    type(MPI_Group), intent(in) :: a, b
    MPI_Group_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Group_ne(a, b)
    type(MPI_Group), intent(in) :: a, b
    MPI_Group_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Info_eq(a, b)
    type(MPI_Info), intent(in) :: a, b
    MPI_Info_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Info_ne(a, b)
    type(MPI_Info), intent(in) :: a, b
    MPI_Info_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Message_eq(a, b)
    type(MPI_Message), intent(in) :: a, b
    MPI_Message_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Message_ne(a, b)
    type(MPI_Message), intent(in) :: a, b
    MPI_Message_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Op_eq(a, b)
    type(MPI_Op), intent(in) :: a, b
    MPI_Op_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Op_ne(a, b)
    type(MPI_Op), intent(in) :: a, b
    MPI_Op_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Request_eq(a, b)
    type(MPI_Request), intent(in) :: a, b
    MPI_Request_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Request_ne(a, b)
    type(MPI_Request), intent(in) :: a, b
    MPI_Request_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Session_eq(a, b)
    type(MPI_Session), intent(in) :: a, b
    MPI_Session_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Session_ne(a, b)
    type(MPI_Session), intent(in) :: a, b
    MPI_Session_ne = a%MPI_VAL /= b%MPI_VAL
  end function
  elemental logical function MPI_Win_eq(a, b)
    type(MPI_Win), intent(in) :: a, b
    MPI_Win_eq = a%MPI_VAL == b%MPI_VAL
  end function
  elemental logical function MPI_Win_ne(a, b)
    type(MPI_Win), intent(in) :: a, b
    MPI_Win_ne = a%MPI_VAL /= b%MPI_VAL
  end function
subroutine MPI_Status_f2f08(f_status, f08_status, ierror)
    integer, intent(in) :: f_status(8)
    type(MPI_Status), intent(out) :: f08_status
    integer, intent(out), optional :: ierror
    f08_status = transfer(f_status, f08_status)
    if (present(ierror)) ierror = 0
  end subroutine
  subroutine MPI_Status_f082f(f08_status, f_status, ierror)
    type(MPI_Status), intent(in) :: f08_status
    integer, intent(out) :: f_status(8)
    integer, intent(out), optional :: ierror
    f_status = transfer(f08_status, f_status)
    if (present(ierror)) ierror = 0
  end subroutine
subroutine PMPI_Status_f2f08(f_status, f08_status, ierror)
    integer, intent(in) :: f_status(8)
    type(MPI_Status), intent(out) :: f08_status
    integer, intent(out), optional :: ierror
    f08_status = transfer(f_status, f08_status)
    if (present(ierror)) ierror = 0
  end subroutine
  subroutine PMPI_Status_f082f(f08_status, f_status, ierror)
    type(MPI_Status), intent(in) :: f08_status
    integer, intent(out) :: f_status(8)
    integer, intent(out), optional :: ierror
    f_status = transfer(f08_status, f_status)
    if (present(ierror)) ierror = 0
  end subroutine
end module mpi_f08_types
