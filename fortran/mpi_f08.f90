! MPI 5.0 for Fortran: the module mpi_f08. Generated.
module mpi_f08
  use, intrinsic :: iso_c_binding, only: C_PTR
  use mpi_f08_types
  implicit none
  private :: C_PTR
  integer, parameter :: MPI_ADDRESS_KIND = 8, MPI_OFFSET_KIND = 8
  integer, parameter :: MPI_COUNT_KIND = 8, MPI_INTEGER_KIND = 4
  integer, parameter :: MPI_STATUS_SIZE = 8
  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .true.
  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .true.
  integer :: MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC
  integer :: MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1), MPI_ERRCODES_IGNORE(1)
  type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)
  character(len=1) :: MPI_ARGV_NULL(1), MPI_ARGVS_NULL(1, 1)
  common /MPI_DUNLIN/ MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC, MPI_UNWEIGHTED
  common /MPI_DUNLIN/ MPI_WEIGHTS_EMPTY, MPI_ERRCODES_IGNORE, MPI_STATUS_IGNORE
  common /MPI_DUNLIN/ MPI_STATUSES_IGNORE
  common /MPI_DUNLIN_TEXT/ MPI_ARGV_NULL, MPI_ARGVS_NULL
  save /MPI_DUNLIN/, /MPI_DUNLIN_TEXT/
  integer, parameter :: MPI_VERSION = 5
  integer, parameter :: MPI_SUBVERSION = 0
  integer, parameter :: MPI_ABI_VERSION = 1
  integer, parameter :: MPI_ABI_SUBVERSION = 0
  type(MPI_Comm), parameter :: MPI_COMM_NULL = MPI_Comm(256)
  type(MPI_Comm), parameter :: MPI_COMM_WORLD = MPI_Comm(257)
  type(MPI_Comm), parameter :: MPI_COMM_SELF = MPI_Comm(258)
  type(MPI_Group), parameter :: MPI_GROUP_NULL = MPI_Group(264)
  type(MPI_Group), parameter :: MPI_GROUP_EMPTY = MPI_Group(265)
  type(MPI_Win), parameter :: MPI_WIN_NULL = MPI_Win(272)
  type(MPI_File), parameter :: MPI_FILE_NULL = MPI_File(280)
  type(MPI_Session), parameter :: MPI_SESSION_NULL = MPI_Session(288)
  type(MPI_Message), parameter :: MPI_MESSAGE_NULL = MPI_Message(296)
  type(MPI_Message), parameter :: MPI_MESSAGE_NO_PROC = MPI_Message(297)
  type(MPI_Info), parameter :: MPI_INFO_NULL = MPI_Info(304)
  type(MPI_Info), parameter :: MPI_INFO_ENV = MPI_Info(305)
  type(MPI_Errhandler), parameter :: MPI_ERRHANDLER_NULL = MPI_Errhandler(320)
  type(MPI_Errhandler), parameter :: MPI_ERRORS_ARE_FATAL = MPI_Errhandler(321)
  type(MPI_Errhandler), parameter :: MPI_ERRORS_ABORT = MPI_Errhandler(322)
  type(MPI_Errhandler), parameter :: MPI_ERRORS_RETURN = MPI_Errhandler(323)
  type(MPI_Request), parameter :: MPI_REQUEST_NULL = MPI_Request(384)
  type(MPI_Op), parameter :: MPI_OP_NULL = MPI_Op(32)
  type(MPI_Op), parameter :: MPI_SUM = MPI_Op(33)
  type(MPI_Op), parameter :: MPI_MIN = MPI_Op(34)
  type(MPI_Op), parameter :: MPI_MAX = MPI_Op(35)
  type(MPI_Op), parameter :: MPI_PROD = MPI_Op(36)
  type(MPI_Op), parameter :: MPI_BAND = MPI_Op(40)
  type(MPI_Op), parameter :: MPI_BOR = MPI_Op(41)
  type(MPI_Op), parameter :: MPI_BXOR = MPI_Op(42)
  type(MPI_Op), parameter :: MPI_LAND = MPI_Op(48)
  type(MPI_Op), parameter :: MPI_LOR = MPI_Op(49)
  type(MPI_Op), parameter :: MPI_LXOR = MPI_Op(50)
  type(MPI_Op), parameter :: MPI_MINLOC = MPI_Op(56)
  type(MPI_Op), parameter :: MPI_MAXLOC = MPI_Op(57)
  type(MPI_Op), parameter :: MPI_REPLACE = MPI_Op(60)
  type(MPI_Op), parameter :: MPI_NO_OP = MPI_Op(61)
  type(MPI_Datatype), parameter :: MPI_DATATYPE_NULL = MPI_Datatype(512)
  type(MPI_Datatype), parameter :: MPI_AINT = MPI_Datatype(513)
  type(MPI_Datatype), parameter :: MPI_COUNT = MPI_Datatype(514)
  type(MPI_Datatype), parameter :: MPI_OFFSET = MPI_Datatype(515)
  type(MPI_Datatype), parameter :: MPI_PACKED = MPI_Datatype(519)
  type(MPI_Datatype), parameter :: MPI_CHAR = MPI_Datatype(579)
  type(MPI_Datatype), parameter :: MPI_SIGNED_CHAR = MPI_Datatype(580)
  type(MPI_Datatype), parameter :: MPI_UNSIGNED_CHAR = MPI_Datatype(581)
  type(MPI_Datatype), parameter :: MPI_BYTE = MPI_Datatype(583)
  type(MPI_Datatype), parameter :: MPI_WCHAR = MPI_Datatype(572)
  type(MPI_Datatype), parameter :: MPI_C_BOOL = MPI_Datatype(568)
  type(MPI_Datatype), parameter :: MPI_SHORT = MPI_Datatype(520)
  type(MPI_Datatype), parameter :: MPI_INT = MPI_Datatype(521)
  type(MPI_Datatype), parameter :: MPI_LONG = MPI_Datatype(522)
  type(MPI_Datatype), parameter :: MPI_LONG_LONG = MPI_Datatype(523)
  type(MPI_Datatype), parameter :: MPI_LONG_LONG_INT = MPI_Datatype(523)
  type(MPI_Datatype), parameter :: MPI_UNSIGNED_SHORT = MPI_Datatype(524)
  type(MPI_Datatype), parameter :: MPI_UNSIGNED = MPI_Datatype(525)
  type(MPI_Datatype), parameter :: MPI_UNSIGNED_LONG = MPI_Datatype(526)
  type(MPI_Datatype), parameter :: MPI_UNSIGNED_LONG_LONG = MPI_Datatype(527)
  type(MPI_Datatype), parameter :: MPI_INT8_T = MPI_Datatype(576)
  type(MPI_Datatype), parameter :: MPI_UINT8_T = MPI_Datatype(577)
  type(MPI_Datatype), parameter :: MPI_INT16_T = MPI_Datatype(584)
  type(MPI_Datatype), parameter :: MPI_UINT16_T = MPI_Datatype(585)
  type(MPI_Datatype), parameter :: MPI_INT32_T = MPI_Datatype(592)
  type(MPI_Datatype), parameter :: MPI_UINT32_T = MPI_Datatype(593)
  type(MPI_Datatype), parameter :: MPI_INT64_T = MPI_Datatype(600)
  type(MPI_Datatype), parameter :: MPI_UINT64_T = MPI_Datatype(601)
  type(MPI_Datatype), parameter :: MPI_FLOAT = MPI_Datatype(528)
  type(MPI_Datatype), parameter :: MPI_DOUBLE = MPI_Datatype(532)
  type(MPI_Datatype), parameter :: MPI_LONG_DOUBLE = MPI_Datatype(544)
  type(MPI_Datatype), parameter :: MPI_C_COMPLEX = MPI_Datatype(530)
  type(MPI_Datatype), parameter :: MPI_C_FLOAT_COMPLEX = MPI_Datatype(530)
  type(MPI_Datatype), parameter :: MPI_C_DOUBLE_COMPLEX = MPI_Datatype(534)
  type(MPI_Datatype), parameter :: MPI_C_LONG_DOUBLE_COMPLEX = MPI_Datatype(548)
  type(MPI_Datatype), parameter :: MPI_CXX_BOOL = MPI_Datatype(569)
  type(MPI_Datatype), parameter :: MPI_CXX_FLOAT_COMPLEX = MPI_Datatype(531)
  type(MPI_Datatype), parameter :: MPI_CXX_DOUBLE_COMPLEX = MPI_Datatype(535)
  type(MPI_Datatype), parameter :: MPI_CXX_LONG_DOUBLE_COMPLEX = MPI_Datatype(549)
  type(MPI_Datatype), parameter :: MPI_FLOAT_INT = MPI_Datatype(552)
  type(MPI_Datatype), parameter :: MPI_DOUBLE_INT = MPI_Datatype(553)
  type(MPI_Datatype), parameter :: MPI_LONG_INT = MPI_Datatype(554)
  type(MPI_Datatype), parameter :: MPI_2INT = MPI_Datatype(555)
  type(MPI_Datatype), parameter :: MPI_SHORT_INT = MPI_Datatype(556)
  type(MPI_Datatype), parameter :: MPI_LONG_DOUBLE_INT = MPI_Datatype(557)
  type(MPI_Datatype), parameter :: MPI_2REAL = MPI_Datatype(560)
  type(MPI_Datatype), parameter :: MPI_2DOUBLE_PRECISION = MPI_Datatype(561)
  type(MPI_Datatype), parameter :: MPI_2INTEGER = MPI_Datatype(562)
  type(MPI_Datatype), parameter :: MPI_LOGICAL = MPI_Datatype(536)
  type(MPI_Datatype), parameter :: MPI_INTEGER = MPI_Datatype(537)
  type(MPI_Datatype), parameter :: MPI_REAL = MPI_Datatype(538)
  type(MPI_Datatype), parameter :: MPI_COMPLEX = MPI_Datatype(539)
  type(MPI_Datatype), parameter :: MPI_DOUBLE_PRECISION = MPI_Datatype(540)
  type(MPI_Datatype), parameter :: MPI_DOUBLE_COMPLEX = MPI_Datatype(541)
  type(MPI_Datatype), parameter :: MPI_CHARACTER = MPI_Datatype(542)
  type(MPI_Datatype), parameter :: MPI_LOGICAL1 = MPI_Datatype(704)
  type(MPI_Datatype), parameter :: MPI_LOGICAL2 = MPI_Datatype(712)
  type(MPI_Datatype), parameter :: MPI_LOGICAL4 = MPI_Datatype(720)
  type(MPI_Datatype), parameter :: MPI_LOGICAL8 = MPI_Datatype(728)
  type(MPI_Datatype), parameter :: MPI_LOGICAL16 = MPI_Datatype(736)
  type(MPI_Datatype), parameter :: MPI_INTEGER1 = MPI_Datatype(705)
  type(MPI_Datatype), parameter :: MPI_INTEGER2 = MPI_Datatype(713)
  type(MPI_Datatype), parameter :: MPI_INTEGER4 = MPI_Datatype(721)
  type(MPI_Datatype), parameter :: MPI_INTEGER8 = MPI_Datatype(729)
  type(MPI_Datatype), parameter :: MPI_INTEGER16 = MPI_Datatype(737)
  type(MPI_Datatype), parameter :: MPI_REAL2 = MPI_Datatype(714)
  type(MPI_Datatype), parameter :: MPI_REAL4 = MPI_Datatype(722)
  type(MPI_Datatype), parameter :: MPI_REAL8 = MPI_Datatype(730)
  type(MPI_Datatype), parameter :: MPI_REAL16 = MPI_Datatype(738)
  type(MPI_Datatype), parameter :: MPI_COMPLEX4 = MPI_Datatype(723)
  type(MPI_Datatype), parameter :: MPI_COMPLEX8 = MPI_Datatype(731)
  type(MPI_Datatype), parameter :: MPI_COMPLEX16 = MPI_Datatype(739)
  type(MPI_Datatype), parameter :: MPI_COMPLEX32 = MPI_Datatype(747)
  integer, parameter :: MPI_SUCCESS = 0
  integer, parameter :: MPI_ERR_BUFFER = 1
  integer, parameter :: MPI_ERR_COUNT = 2
  integer, parameter :: MPI_ERR_TYPE = 3
  integer, parameter :: MPI_ERR_TAG = 4
  integer, parameter :: MPI_ERR_COMM = 5
  integer, parameter :: MPI_ERR_RANK = 6
  integer, parameter :: MPI_ERR_REQUEST = 7
  integer, parameter :: MPI_ERR_ROOT = 8
  integer, parameter :: MPI_ERR_GROUP = 9
  integer, parameter :: MPI_ERR_OP = 10
  integer, parameter :: MPI_ERR_TOPOLOGY = 11
  integer, parameter :: MPI_ERR_DIMS = 12
  integer, parameter :: MPI_ERR_ARG = 13
  integer, parameter :: MPI_ERR_UNKNOWN = 14
  integer, parameter :: MPI_ERR_TRUNCATE = 15
  integer, parameter :: MPI_ERR_OTHER = 16
  integer, parameter :: MPI_ERR_INTERN = 17
  integer, parameter :: MPI_ERR_PENDING = 18
  integer, parameter :: MPI_ERR_IN_STATUS = 19
  integer, parameter :: MPI_ERR_ACCESS = 20
  integer, parameter :: MPI_ERR_AMODE = 21
  integer, parameter :: MPI_ERR_ASSERT = 22
  integer, parameter :: MPI_ERR_BAD_FILE = 23
  integer, parameter :: MPI_ERR_BASE = 24
  integer, parameter :: MPI_ERR_CONVERSION = 25
  integer, parameter :: MPI_ERR_DISP = 26
  integer, parameter :: MPI_ERR_DUP_DATAREP = 27
  integer, parameter :: MPI_ERR_FILE_EXISTS = 28
  integer, parameter :: MPI_ERR_FILE_IN_USE = 29
  integer, parameter :: MPI_ERR_FILE = 30
  integer, parameter :: MPI_ERR_INFO_KEY = 31
  integer, parameter :: MPI_ERR_INFO_NOKEY = 32
  integer, parameter :: MPI_ERR_INFO_VALUE = 33
  integer, parameter :: MPI_ERR_INFO = 34
  integer, parameter :: MPI_ERR_IO = 35
  integer, parameter :: MPI_ERR_KEYVAL = 36
  integer, parameter :: MPI_ERR_LOCKTYPE = 37
  integer, parameter :: MPI_ERR_NAME = 38
  integer, parameter :: MPI_ERR_NO_MEM = 39
  integer, parameter :: MPI_ERR_NOT_SAME = 40
  integer, parameter :: MPI_ERR_NO_SPACE = 41
  integer, parameter :: MPI_ERR_NO_SUCH_FILE = 42
  integer, parameter :: MPI_ERR_PORT = 43
  integer, parameter :: MPI_ERR_QUOTA = 44
  integer, parameter :: MPI_ERR_READ_ONLY = 45
  integer, parameter :: MPI_ERR_RMA_ATTACH = 46
  integer, parameter :: MPI_ERR_RMA_CONFLICT = 47
  integer, parameter :: MPI_ERR_RMA_RANGE = 48
  integer, parameter :: MPI_ERR_RMA_SHARED = 49
  integer, parameter :: MPI_ERR_RMA_SYNC = 50
  integer, parameter :: MPI_ERR_SERVICE = 51
  integer, parameter :: MPI_ERR_SIZE = 52
  integer, parameter :: MPI_ERR_SPAWN = 53
  integer, parameter :: MPI_ERR_UNSUPPORTED_DATAREP = 54
  integer, parameter :: MPI_ERR_UNSUPPORTED_OPERATION = 55
  integer, parameter :: MPI_ERR_WIN = 56
  integer, parameter :: MPI_ERR_RMA_FLAVOR = 57
  integer, parameter :: MPI_ERR_PROC_ABORTED = 58
  integer, parameter :: MPI_ERR_VALUE_TOO_LARGE = 59
  integer, parameter :: MPI_ERR_SESSION = 60
  integer, parameter :: MPI_ERR_ERRHANDLER = 61
  integer, parameter :: MPI_ERR_ABI = 62
  integer, parameter :: MPI_ERR_LASTCODE = 16383
  integer, parameter :: MPI_ANY_SOURCE = -1
  integer, parameter :: MPI_ANY_TAG = -2
  integer, parameter :: MPI_PROC_NULL = -3
  integer, parameter :: MPI_ROOT = -4
  integer, parameter :: MPI_UNDEFINED = -32766
  integer, parameter :: MPI_MAX_DATAREP_STRING = 127
  integer, parameter :: MPI_MAX_ERROR_STRING = 511
  integer, parameter :: MPI_MAX_INFO_KEY = 255
  integer, parameter :: MPI_MAX_INFO_VAL = 1023
  integer, parameter :: MPI_MAX_LIBRARY_VERSION_STRING = 8191
  integer, parameter :: MPI_MAX_OBJECT_NAME = 127
  integer, parameter :: MPI_MAX_PORT_NAME = 1023
  integer, parameter :: MPI_MAX_PROCESSOR_NAME = 255
  integer, parameter :: MPI_MAX_STRINGTAG_LEN = 1023
  integer, parameter :: MPI_MAX_PSET_NAME_LEN = 1023
  integer, parameter :: MPI_BSEND_OVERHEAD = 512
  integer, parameter :: MPI_THREAD_SINGLE = 0
  integer, parameter :: MPI_THREAD_FUNNELED = 1024
  integer, parameter :: MPI_THREAD_SERIALIZED = 2048
  integer, parameter :: MPI_THREAD_MULTIPLE = 4096
  integer, parameter :: MPI_IDENT = 201
  integer, parameter :: MPI_CONGRUENT = 202
  integer, parameter :: MPI_SIMILAR = 203
  integer, parameter :: MPI_UNEQUAL = 204
  integer, parameter :: MPI_CART = 211
  integer, parameter :: MPI_GRAPH = 212
  integer, parameter :: MPI_DIST_GRAPH = 213
  integer, parameter :: MPI_COMM_TYPE_SHARED = 221
  integer, parameter :: MPI_COMM_TYPE_HW_UNGUIDED = 222
  integer, parameter :: MPI_COMM_TYPE_HW_GUIDED = 223
  integer, parameter :: MPI_COMM_TYPE_RESOURCE_GUIDED = 224
  integer, parameter :: MPI_ORDER_C = 12
  integer, parameter :: MPI_ORDER_FORTRAN = 15
  integer, parameter :: MPI_DISTRIBUTE_NONE = 16
  integer, parameter :: MPI_DISTRIBUTE_BLOCK = 17
  integer, parameter :: MPI_DISTRIBUTE_CYCLIC = 18
  integer, parameter :: MPI_DISTRIBUTE_DFLT_DARG = 19
  integer, parameter :: MPI_COMBINER_NAMED = 101
  integer, parameter :: MPI_COMBINER_DUP = 102
  integer, parameter :: MPI_COMBINER_CONTIGUOUS = 103
  integer, parameter :: MPI_COMBINER_VECTOR = 104
  integer, parameter :: MPI_COMBINER_HVECTOR = 105
  integer, parameter :: MPI_COMBINER_INDEXED = 106
  integer, parameter :: MPI_COMBINER_HINDEXED = 107
  integer, parameter :: MPI_COMBINER_INDEXED_BLOCK = 108
  integer, parameter :: MPI_COMBINER_HINDEXED_BLOCK = 109
  integer, parameter :: MPI_COMBINER_STRUCT = 110
  integer, parameter :: MPI_COMBINER_SUBARRAY = 111
  integer, parameter :: MPI_COMBINER_DARRAY = 112
  integer, parameter :: MPI_COMBINER_F90_REAL = 113
  integer, parameter :: MPI_COMBINER_F90_COMPLEX = 114
  integer, parameter :: MPI_COMBINER_F90_INTEGER = 115
  integer, parameter :: MPI_COMBINER_RESIZED = 116
  integer, parameter :: MPI_COMBINER_VALUE_INDEX = 117
  integer, parameter :: MPI_TYPECLASS_INTEGER = 192
  integer, parameter :: MPI_TYPECLASS_REAL = 193
  integer, parameter :: MPI_TYPECLASS_COMPLEX = 194
  integer, parameter :: MPI_KEYVAL_INVALID = 0
  integer, parameter :: MPI_TAG_UB = 501
  integer, parameter :: MPI_IO = 502
  integer, parameter :: MPI_HOST = 503
  integer, parameter :: MPI_WTIME_IS_GLOBAL = 504
  integer, parameter :: MPI_APPNUM = 505
  integer, parameter :: MPI_LASTUSEDCODE = 506
  integer, parameter :: MPI_UNIVERSE_SIZE = 507
  integer, parameter :: MPI_WIN_BASE = 601
  integer, parameter :: MPI_WIN_DISP_UNIT = 602
  integer, parameter :: MPI_WIN_SIZE = 603
  integer, parameter :: MPI_WIN_CREATE_FLAVOR = 604
  integer, parameter :: MPI_WIN_MODEL = 605
  integer, parameter :: MPI_WIN_FLAVOR_CREATE = 311
  integer, parameter :: MPI_WIN_FLAVOR_ALLOCATE = 312
  integer, parameter :: MPI_WIN_FLAVOR_DYNAMIC = 313
  integer, parameter :: MPI_WIN_FLAVOR_SHARED = 314
  integer, parameter :: MPI_WIN_UNIFIED = 321
  integer, parameter :: MPI_WIN_SEPARATE = 322
  integer, parameter :: MPI_LOCK_EXCLUSIVE = 301
  integer, parameter :: MPI_LOCK_SHARED = 302
  integer, parameter :: MPI_MODE_NOCHECK = 1024
  integer, parameter :: MPI_MODE_NOPRECEDE = 2048
  integer, parameter :: MPI_MODE_NOPUT = 4096
  integer, parameter :: MPI_MODE_NOSTORE = 8192
  integer, parameter :: MPI_MODE_NOSUCCEED = 16384
  integer, parameter :: MPI_MODE_APPEND = 1
  integer, parameter :: MPI_MODE_CREATE = 2
  integer, parameter :: MPI_MODE_DELETE_ON_CLOSE = 4
  integer, parameter :: MPI_MODE_EXCL = 8
  integer, parameter :: MPI_MODE_RDONLY = 16
  integer, parameter :: MPI_MODE_RDWR = 32
  integer, parameter :: MPI_MODE_SEQUENTIAL = 64
  integer, parameter :: MPI_MODE_UNIQUE_OPEN = 128
  integer, parameter :: MPI_MODE_WRONLY = 256
  integer, parameter :: MPI_SEEK_CUR = 401
  integer, parameter :: MPI_SEEK_END = 402
  integer, parameter :: MPI_SEEK_SET = 403
  integer(kind=8), parameter :: MPI_DISPLACEMENT_CURRENT = -1
  abstract interface
    subroutine MPI_User_function(invec, inoutvec, len, datatype)
      import :: C_PTR, MPI_Datatype
      type(C_PTR), value :: invec, inoutvec
      integer :: len
      type(MPI_Datatype) :: datatype
    end subroutine
    subroutine MPI_User_function_c(invec, inoutvec, len, datatype)
      import :: C_PTR, MPI_COUNT_KIND, MPI_Datatype
      type(C_PTR), value :: invec, inoutvec
      integer(kind=MPI_COUNT_KIND) :: len
      type(MPI_Datatype) :: datatype
    end subroutine
    subroutine MPI_Comm_copy_attr_function(object, keyval, extra_state, attribute_val_in, &
        attribute_val_out, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Comm
      type(MPI_Comm) :: object
      integer :: keyval, ierror
      integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
    end subroutine
    subroutine MPI_Type_copy_attr_function(object, keyval, extra_state, attribute_val_in, &
        attribute_val_out, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype) :: object
      integer :: keyval, ierror
      integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
    end subroutine
    subroutine MPI_Win_copy_attr_function(object, keyval, extra_state, attribute_val_in, &
        attribute_val_out, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win) :: object
      integer :: keyval, ierror
      integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
    end subroutine
    subroutine MPI_Comm_delete_attr_function(object, keyval, attribute_val, extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Comm
      type(MPI_Comm) :: object
      integer :: keyval, ierror
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    end subroutine
    subroutine MPI_Type_delete_attr_function(object, keyval, attribute_val, extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype) :: object
      integer :: keyval, ierror
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    end subroutine
    subroutine MPI_Win_delete_attr_function(object, keyval, attribute_val, extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win) :: object
      integer :: keyval, ierror
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    end subroutine
    subroutine MPI_Comm_errhandler_function(object, error_code)
      import :: MPI_Comm
      type(MPI_Comm) :: object
      integer :: error_code
    end subroutine
    subroutine MPI_File_errhandler_function(object, error_code)
      import :: MPI_File
      type(MPI_File) :: object
      integer :: error_code
    end subroutine
    subroutine MPI_Session_errhandler_function(object, error_code)
      import :: MPI_Session
      type(MPI_Session) :: object
      integer :: error_code
    end subroutine
    subroutine MPI_Win_errhandler_function(object, error_code)
      import :: MPI_Win
      type(MPI_Win) :: object
      integer :: error_code
    end subroutine
    subroutine MPI_Grequest_query_function(extra_state, status, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Status
      integer(kind=MPI_ADDRESS_KIND) :: extra_state
      type(MPI_Status) :: status
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_free_function(extra_state, ierror)
      import :: MPI_ADDRESS_KIND
      integer(kind=MPI_ADDRESS_KIND) :: extra_state
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_cancel_function(extra_state, complete, ierror)
      import :: MPI_ADDRESS_KIND
      integer(kind=MPI_ADDRESS_KIND) :: extra_state
      logical :: complete
      integer :: ierror
    end subroutine
    subroutine MPI_Datarep_extent_function(datatype, extent, extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state
      integer :: ierror
    end subroutine
    subroutine MPI_Datarep_conversion_function(userbuf, datatype, count, filebuf, position, &
        extra_state, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_OFFSET_KIND, MPI_Datatype
      type(C_PTR), value :: userbuf, filebuf
      type(MPI_Datatype) :: datatype
      integer :: count
      integer(kind=MPI_OFFSET_KIND) :: position
      integer(kind=MPI_ADDRESS_KIND) :: extra_state
      integer :: ierror
    end subroutine
    subroutine MPI_Datarep_conversion_function_c(userbuf, datatype, count, filebuf, position, &
        extra_state, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_OFFSET_KIND, MPI_COUNT_KIND, MPI_Datatype
      type(C_PTR), value :: userbuf, filebuf
      type(MPI_Datatype) :: datatype
      integer(kind=MPI_COUNT_KIND) :: count
      integer(kind=MPI_OFFSET_KIND) :: position
      integer(kind=MPI_ADDRESS_KIND) :: extra_state
      integer :: ierror
    end subroutine
  end interface
  external :: MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, MPI_DUP_FN
  procedure(MPI_Comm_copy_attr_function) :: MPI_COMM_NULL_COPY_FN, MPI_COMM_DUP_FN
  procedure(MPI_Comm_delete_attr_function) :: MPI_COMM_NULL_DELETE_FN
  procedure(MPI_Type_copy_attr_function) :: MPI_TYPE_NULL_COPY_FN, MPI_TYPE_DUP_FN
  procedure(MPI_Type_delete_attr_function) :: MPI_TYPE_NULL_DELETE_FN
  procedure(MPI_Win_copy_attr_function) :: MPI_WIN_NULL_COPY_FN, MPI_WIN_DUP_FN
  procedure(MPI_Win_delete_attr_function) :: MPI_WIN_NULL_DELETE_FN
  procedure(MPI_Datarep_conversion_function) :: MPI_CONVERSION_FN_NULL
  procedure(MPI_Datarep_conversion_function_c) :: MPI_CONVERSION_FN_NULL_C
  interface MPI_Bsend
    subroutine MPI_Bsend(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="mpi_bsend_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Bsend_c(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="mpi_bsend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Bsend_init
    subroutine MPI_Bsend_init(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_bsend_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Bsend_init_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_bsend_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Buffer_attach
    subroutine MPI_Buffer_attach(buffer, size, ierror) bind(C, name="mpi_buffer_attach_cdesc_")
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Buffer_attach_c(buffer, size, ierror) bind(C, name="mpi_buffer_attach_c_cdesc_")
      import :: MPI_COUNT_KIND
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Buffer_detach
    subroutine MPI_Buffer_detach_f08(buffer_addr, size, ierror)
      import :: C_PTR
      type(C_PTR) :: buffer_addr
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Buffer_flush(ierror)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Buffer_iflush(request, ierror)
      import :: MPI_Request
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cancel(request, ierror)
      import :: MPI_Request
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Comm_attach_buffer
    subroutine MPI_Comm_attach_buffer(comm, buffer, size, ierror) bind(C, &
        name="mpi_comm_attach_buffer_cdesc_")
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Comm_attach_buffer_c(comm, buffer, size, ierror) bind(C, &
        name="mpi_comm_attach_buffer_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Comm_detach_buffer
    subroutine MPI_Comm_detach_buffer_f08(comm, buffer_addr, size, ierror)
      import :: C_PTR, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: buffer_addr
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_flush_buffer(comm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_iflush_buffer(comm, request, ierror)
      import :: MPI_Comm, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Get_count
    subroutine MPI_Get_count(status, datatype, count, ierror)
      import :: MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer :: count
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Get_count_c(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ibsend
    subroutine MPI_Ibsend(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_ibsend_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ibsend_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_ibsend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Improbe(source, tag, comm, flag, message, status, ierror)
      import :: MPI_Comm, MPI_Message, MPI_Status
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      logical :: flag
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Imrecv
    subroutine MPI_Imrecv(buf, count, datatype, message, request, ierror) bind(C, &
        name="mpi_imrecv_cdesc_")
      import :: MPI_Datatype, MPI_Message, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Message) :: message
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Imrecv_c(buf, count, datatype, message, request, ierror) bind(C, &
        name="mpi_imrecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Message, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Message) :: message
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Iprobe(source, tag, comm, flag, status, ierror)
      import :: MPI_Comm, MPI_Status
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Irecv
    subroutine MPI_Irecv(buf, count, datatype, source, tag, comm, request, ierror) bind(C, &
        name="mpi_irecv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Irecv_c(buf, count, datatype, source, tag, comm, request, ierror) bind(C, &
        name="mpi_irecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Irsend
    subroutine MPI_Irsend(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_irsend_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Irsend_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_irsend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Isend
    subroutine MPI_Isend(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_isend_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Isend_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_isend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Isendrecv
    subroutine MPI_Isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
        recvtype, source, recvtag, comm, request, ierror) bind(C, name="mpi_isendrecv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Isendrecv_c(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
        recvtype, source, recvtag, comm, request, ierror) bind(C, name="mpi_isendrecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Isendrecv_replace
    subroutine MPI_Isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, &
        request, ierror) bind(C, name="mpi_isendrecv_replace_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Isendrecv_replace_c(buf, count, datatype, dest, sendtag, source, recvtag, comm, &
        request, ierror) bind(C, name="mpi_isendrecv_replace_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Issend
    subroutine MPI_Issend(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_issend_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Issend_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_issend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Mprobe(source, tag, comm, message, status, ierror)
      import :: MPI_Comm, MPI_Message, MPI_Status
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Mrecv
    subroutine MPI_Mrecv(buf, count, datatype, message, status, ierror) bind(C, &
        name="mpi_mrecv_cdesc_")
      import :: MPI_Datatype, MPI_Message, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Mrecv_c(buf, count, datatype, message, status, ierror) bind(C, &
        name="mpi_mrecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Message, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Probe(source, tag, comm, status, ierror)
      import :: MPI_Comm, MPI_Status
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Recv
    subroutine MPI_Recv(buf, count, datatype, source, tag, comm, status, ierror) bind(C, &
        name="mpi_recv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Recv_c(buf, count, datatype, source, tag, comm, status, ierror) bind(C, &
        name="mpi_recv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Recv_init
    subroutine MPI_Recv_init(buf, count, datatype, source, tag, comm, request, ierror) bind(C, &
        name="mpi_recv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Recv_init_c(buf, count, datatype, source, tag, comm, request, ierror) bind(C, &
        name="mpi_recv_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Request_free(request, ierror)
      import :: MPI_Request
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Request_get_status(request, flag, status, ierror)
      import :: MPI_Request, MPI_Status
      type(MPI_Request), intent(in) :: request
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Request_get_status_all(count, array_of_requests, flag, array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request), intent(in) :: array_of_requests(*)
      logical :: flag
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Request_get_status_any(count, array_of_requests, index, flag, status, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request), intent(in) :: array_of_requests(*)
      integer :: index
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Request_get_status_some(incount, array_of_requests, outcount, array_of_indices, &
        array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: incount
      type(MPI_Request), intent(in) :: array_of_requests(*)
      integer :: outcount
      integer :: array_of_indices(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Rsend
    subroutine MPI_Rsend(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="mpi_rsend_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Rsend_c(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="mpi_rsend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Rsend_init
    subroutine MPI_Rsend_init(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_rsend_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Rsend_init_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_rsend_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Send
    subroutine MPI_Send(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="mpi_send_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Send_c(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="mpi_send_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Send_init
    subroutine MPI_Send_init(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_send_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Send_init_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_send_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Sendrecv
    subroutine MPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
        recvtype, source, recvtag, comm, status, ierror) bind(C, name="mpi_sendrecv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Sendrecv_c(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
        recvtype, source, recvtag, comm, status, ierror) bind(C, name="mpi_sendrecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Sendrecv_replace
    subroutine MPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, &
        status, ierror) bind(C, name="mpi_sendrecv_replace_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Sendrecv_replace_c(buf, count, datatype, dest, sendtag, source, recvtag, comm, &
        status, ierror) bind(C, name="mpi_sendrecv_replace_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Session_attach_buffer
    subroutine MPI_Session_attach_buffer(session, buffer, size, ierror) bind(C, &
        name="mpi_session_attach_buffer_cdesc_")
      import :: MPI_Session
      type(MPI_Session), intent(in) :: session
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Session_attach_buffer_c(session, buffer, size, ierror) bind(C, &
        name="mpi_session_attach_buffer_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Session_detach_buffer
    subroutine MPI_Session_detach_buffer_f08(session, buffer_addr, size, ierror)
      import :: C_PTR, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(C_PTR) :: buffer_addr
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_flush_buffer(session, ierror)
      import :: MPI_Session
      type(MPI_Session), intent(in) :: session
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_iflush_buffer(session, request, ierror)
      import :: MPI_Request, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ssend
    subroutine MPI_Ssend(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="mpi_ssend_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ssend_c(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="mpi_ssend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ssend_init
    subroutine MPI_Ssend_init(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_ssend_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ssend_init_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="mpi_ssend_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Start(request, ierror)
      import :: MPI_Request
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Startall(count, array_of_requests, ierror)
      import :: MPI_Request
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Status_get_error(status, error, ierror)
      import :: MPI_Status
      type(MPI_Status), intent(in) :: status
      integer :: error
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Status_get_source(status, source, ierror)
      import :: MPI_Status
      type(MPI_Status), intent(in) :: status
      integer :: source
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Status_get_tag(status, tag, ierror)
      import :: MPI_Status
      type(MPI_Status), intent(in) :: status
      integer :: tag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Status_set_error(status, error, ierror)
      import :: MPI_Status
      type(MPI_Status) :: status
      integer, intent(in) :: error
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Status_set_source(status, source, ierror)
      import :: MPI_Status
      type(MPI_Status) :: status
      integer, intent(in) :: source
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Status_set_tag(status, tag, ierror)
      import :: MPI_Status
      type(MPI_Status) :: status
      integer, intent(in) :: tag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Test(request, flag, status, ierror)
      import :: MPI_Request, MPI_Status
      type(MPI_Request) :: request
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Test_cancelled(status, flag, ierror)
      import :: MPI_Status
      type(MPI_Status), intent(in) :: status
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Testall(count, array_of_requests, flag, array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      logical :: flag
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Testany(count, array_of_requests, index, flag, status, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      integer :: index
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Testsome(incount, array_of_requests, outcount, array_of_indices, &
        array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: incount
      type(MPI_Request) :: array_of_requests(*)
      integer :: outcount
      integer :: array_of_indices(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Wait(request, status, ierror)
      import :: MPI_Request, MPI_Status
      type(MPI_Request) :: request
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Waitall(count, array_of_requests, array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Waitany(count, array_of_requests, index, status, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      integer :: index
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Waitsome(incount, array_of_requests, outcount, array_of_indices, &
        array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: incount
      type(MPI_Request) :: array_of_requests(*)
      integer :: outcount
      integer :: array_of_indices(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Parrived(request, partition, flag, ierror)
      import :: MPI_Request
      type(MPI_Request), intent(in) :: request
      integer, intent(in) :: partition
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Pready(partition, request, ierror)
      import :: MPI_Request
      integer, intent(in) :: partition
      type(MPI_Request), intent(in) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Pready_list(length, array_of_partitions, request, ierror)
      import :: MPI_Request
      integer, intent(in) :: length
      integer, intent(in) :: array_of_partitions(*)
      type(MPI_Request), intent(in) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Pready_range(partition_low, partition_high, request, ierror)
      import :: MPI_Request
      integer, intent(in) :: partition_low
      integer, intent(in) :: partition_high
      type(MPI_Request), intent(in) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Precv_init(buf, partitions, count, datatype, dest, tag, comm, info, request, &
        ierror) bind(C, name="mpi_precv_init_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: partitions
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Psend_init(buf, partitions, count, datatype, dest, tag, comm, info, request, &
        ierror) bind(C, name="mpi_psend_init_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: partitions
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Get_address(location, address, ierror) bind(C, name="mpi_get_address_cdesc_")
      import :: MPI_ADDRESS_KIND
      type(*), dimension(..), asynchronous, target :: location
      integer(kind=MPI_ADDRESS_KIND) :: address
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Get_elements
    subroutine MPI_Get_elements(status, datatype, count, ierror)
      import :: MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer :: count
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Get_elements_c(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Pack
    subroutine MPI_Pack(inbuf, incount, datatype, outbuf, outsize, position, comm, ierror) bind(C, &
        name="mpi_pack_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: inbuf
      integer, intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      type(*), dimension(..), asynchronous, target :: outbuf
      integer, intent(in) :: outsize
      integer :: position
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Pack_c(inbuf, incount, datatype, outbuf, outsize, position, comm, &
        ierror) bind(C, name="mpi_pack_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: inbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      type(*), dimension(..), asynchronous, target :: outbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: outsize
      integer(kind=MPI_COUNT_KIND) :: position
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Pack_external
    subroutine MPI_Pack_external(datarep, inbuf, incount, datatype, outbuf, outsize, position, &
        ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      !GCC$ attributes no_arg_check :: inbuf
      !DIR$ ignore_tkr inbuf
      type(*), dimension(*), asynchronous, target :: inbuf
      integer, intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      !GCC$ attributes no_arg_check :: outbuf
      !DIR$ ignore_tkr outbuf
      type(*), dimension(*), asynchronous, target :: outbuf
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: outsize
      integer(kind=MPI_ADDRESS_KIND) :: position
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Pack_external_c(datarep, inbuf, incount, datatype, outbuf, outsize, position, &
        ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      !GCC$ attributes no_arg_check :: inbuf
      !DIR$ ignore_tkr inbuf
      type(*), dimension(*), asynchronous, target :: inbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      !GCC$ attributes no_arg_check :: outbuf
      !DIR$ ignore_tkr outbuf
      type(*), dimension(*), asynchronous, target :: outbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: outsize
      integer(kind=MPI_COUNT_KIND) :: position
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Pack_external_size
    subroutine MPI_Pack_external_size(datarep, incount, datatype, size, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      integer, intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Pack_external_size_c(datarep, incount, datatype, size, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      integer(kind=MPI_COUNT_KIND), intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Pack_size
    subroutine MPI_Pack_size(incount, datatype, comm, size, ierror)
      import :: MPI_Comm, MPI_Datatype
      integer, intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Comm), intent(in) :: comm
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Pack_size_c(incount, datatype, comm, size, ierror)
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Comm), intent(in) :: comm
      integer(kind=MPI_COUNT_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_commit(datatype, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_contiguous
    subroutine MPI_Type_contiguous(count, oldtype, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_contiguous_c(count, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_create_darray
    subroutine MPI_Type_create_darray(size, rank, ndims, array_of_gsizes, array_of_distribs, &
        array_of_dargs, array_of_psizes, order, oldtype, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: size
      integer, intent(in) :: rank
      integer, intent(in) :: ndims
      integer, intent(in) :: array_of_gsizes(*)
      integer, intent(in) :: array_of_distribs(*)
      integer, intent(in) :: array_of_dargs(*)
      integer, intent(in) :: array_of_psizes(*)
      integer, intent(in) :: order
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_create_darray_c(size, rank, ndims, array_of_gsizes, array_of_distribs, &
        array_of_dargs, array_of_psizes, order, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer, intent(in) :: size
      integer, intent(in) :: rank
      integer, intent(in) :: ndims
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_gsizes(*)
      integer, intent(in) :: array_of_distribs(*)
      integer, intent(in) :: array_of_dargs(*)
      integer, intent(in) :: array_of_psizes(*)
      integer, intent(in) :: order
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_create_hindexed
    subroutine MPI_Type_create_hindexed(count, array_of_blocklengths, array_of_displacements, &
        oldtype, newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_create_hindexed_c(count, array_of_blocklengths, array_of_displacements, &
        oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_create_hindexed_block
    subroutine MPI_Type_create_hindexed_block(count, blocklength, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: blocklength
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_create_hindexed_block_c(count, blocklength, array_of_displacements, &
        oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: blocklength
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_create_hvector
    subroutine MPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: blocklength
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: stride
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_create_hvector_c(count, blocklength, stride, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: blocklength
      integer(kind=MPI_COUNT_KIND), intent(in) :: stride
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_create_indexed_block
    subroutine MPI_Type_create_indexed_block(count, blocklength, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: blocklength
      integer, intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_create_indexed_block_c(count, blocklength, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: blocklength
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_create_resized(oldtype, lb, extent, newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: oldtype
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: lb
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extent
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine MPI_Type_create_resized_c(oldtype, lb, extent, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: oldtype
      integer(kind=MPI_COUNT_KIND), intent(in) :: lb
      integer(kind=MPI_COUNT_KIND), intent(in) :: extent
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_create_struct
    subroutine MPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, &
        array_of_types, newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: array_of_types(*)
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_create_struct_c(count, array_of_blocklengths, array_of_displacements, &
        array_of_types, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: array_of_types(*)
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_create_subarray
    subroutine MPI_Type_create_subarray(ndims, array_of_sizes, array_of_subsizes, array_of_starts, &
        order, oldtype, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: ndims
      integer, intent(in) :: array_of_sizes(*)
      integer, intent(in) :: array_of_subsizes(*)
      integer, intent(in) :: array_of_starts(*)
      integer, intent(in) :: order
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_create_subarray_c(ndims, array_of_sizes, array_of_subsizes, &
        array_of_starts, order, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer, intent(in) :: ndims
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_sizes(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_subsizes(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_starts(*)
      integer, intent(in) :: order
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_dup(oldtype, newtype, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_free(datatype, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_get_contents
    subroutine MPI_Type_get_contents(datatype, max_integers, max_addresses, max_datatypes, &
        array_of_integers, array_of_addresses, array_of_datatypes, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: max_integers
      integer, intent(in) :: max_addresses
      integer, intent(in) :: max_datatypes
      integer :: array_of_integers(*)
      integer(kind=MPI_ADDRESS_KIND) :: array_of_addresses(*)
      type(MPI_Datatype) :: array_of_datatypes(*)
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_get_contents_c(datatype, max_integers, max_addresses, max_large_counts, &
        max_datatypes, array_of_integers, array_of_addresses, array_of_large_counts, &
        array_of_datatypes, ierror)
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: max_integers
      integer(kind=MPI_COUNT_KIND), intent(in) :: max_addresses
      integer(kind=MPI_COUNT_KIND), intent(in) :: max_large_counts
      integer(kind=MPI_COUNT_KIND), intent(in) :: max_datatypes
      integer :: array_of_integers(*)
      integer(kind=MPI_ADDRESS_KIND) :: array_of_addresses(*)
      integer(kind=MPI_COUNT_KIND) :: array_of_large_counts(*)
      type(MPI_Datatype) :: array_of_datatypes(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_get_envelope
    subroutine MPI_Type_get_envelope(datatype, num_integers, num_addresses, num_datatypes, &
        combiner, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer :: num_integers
      integer :: num_addresses
      integer :: num_datatypes
      integer :: combiner
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_get_envelope_c(datatype, num_integers, num_addresses, num_large_counts, &
        num_datatypes, combiner, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: num_integers
      integer(kind=MPI_COUNT_KIND) :: num_addresses
      integer(kind=MPI_COUNT_KIND) :: num_large_counts
      integer(kind=MPI_COUNT_KIND) :: num_datatypes
      integer :: combiner
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_get_extent(datatype, lb, extent, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: lb
      integer(kind=MPI_ADDRESS_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine MPI_Type_get_extent_c(datatype, lb, extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: lb
      integer(kind=MPI_COUNT_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_get_true_extent(datatype, true_lb, true_extent, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: true_lb
      integer(kind=MPI_ADDRESS_KIND) :: true_extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine MPI_Type_get_true_extent_c(datatype, true_lb, true_extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: true_lb
      integer(kind=MPI_COUNT_KIND) :: true_extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_get_value_index(value_type, index_type, pair_type, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: value_type
      type(MPI_Datatype), intent(in) :: index_type
      type(MPI_Datatype) :: pair_type
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_indexed
    subroutine MPI_Type_indexed(count, array_of_blocklengths, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: array_of_blocklengths(*)
      integer, intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_indexed_c(count, array_of_blocklengths, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_size
    subroutine MPI_Type_size(datatype, size, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_size_c(datatype, size, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Type_vector
    subroutine MPI_Type_vector(count, blocklength, stride, oldtype, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: blocklength
      integer, intent(in) :: stride
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Type_vector_c(count, blocklength, stride, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: blocklength
      integer(kind=MPI_COUNT_KIND), intent(in) :: stride
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Unpack
    subroutine MPI_Unpack(inbuf, insize, position, outbuf, outcount, datatype, comm, &
        ierror) bind(C, name="mpi_unpack_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: inbuf
      integer, intent(in) :: insize
      integer :: position
      type(*), dimension(..), asynchronous, target :: outbuf
      integer, intent(in) :: outcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Unpack_c(inbuf, insize, position, outbuf, outcount, datatype, comm, &
        ierror) bind(C, name="mpi_unpack_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: inbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: insize
      integer(kind=MPI_COUNT_KIND) :: position
      type(*), dimension(..), asynchronous, target :: outbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: outcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Unpack_external
    subroutine MPI_Unpack_external(datarep, inbuf, insize, position, outbuf, outcount, datatype, &
        ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      !GCC$ attributes no_arg_check :: inbuf
      !DIR$ ignore_tkr inbuf
      type(*), dimension(*), asynchronous, target :: inbuf
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: insize
      integer(kind=MPI_ADDRESS_KIND) :: position
      !GCC$ attributes no_arg_check :: outbuf
      !DIR$ ignore_tkr outbuf
      type(*), dimension(*), asynchronous, target :: outbuf
      integer, intent(in) :: outcount
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Unpack_external_c(datarep, inbuf, insize, position, outbuf, outcount, datatype, &
        ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      !GCC$ attributes no_arg_check :: inbuf
      !DIR$ ignore_tkr inbuf
      type(*), dimension(*), asynchronous, target :: inbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: insize
      integer(kind=MPI_COUNT_KIND) :: position
      !GCC$ attributes no_arg_check :: outbuf
      !DIR$ ignore_tkr outbuf
      type(*), dimension(*), asynchronous, target :: outbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: outcount
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Allgather
    subroutine MPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        ierror) bind(C, name="mpi_allgather_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        ierror) bind(C, name="mpi_allgather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Allgather_init
    subroutine MPI_Allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        info, request, ierror) bind(C, name="mpi_allgather_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Allgather_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, info, request, ierror) bind(C, name="mpi_allgather_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Allgatherv
    subroutine MPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        comm, ierror) bind(C, name="mpi_allgatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, ierror) bind(C, name="mpi_allgatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Allgatherv_init
    subroutine MPI_Allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, info, request, ierror) bind(C, name="mpi_allgatherv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Allgatherv_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, info, request, ierror) bind(C, name="mpi_allgatherv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Allreduce
    subroutine MPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="mpi_allreduce_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Allreduce_c(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="mpi_allreduce_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Allreduce_init
    subroutine MPI_Allreduce_init(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="mpi_allreduce_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Allreduce_init_c(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="mpi_allreduce_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Alltoall
    subroutine MPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        ierror) bind(C, name="mpi_alltoall_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        ierror) bind(C, name="mpi_alltoall_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Alltoall_init
    subroutine MPI_Alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        info, request, ierror) bind(C, name="mpi_alltoall_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Alltoall_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, info, request, ierror) bind(C, name="mpi_alltoall_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Alltoallv
    subroutine MPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
        recvtype, comm, ierror) bind(C, name="mpi_alltoallv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, ierror) bind(C, name="mpi_alltoallv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Alltoallv_init
    subroutine MPI_Alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, info, request, ierror) bind(C, name="mpi_alltoallv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Alltoallv_init_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, info, request, ierror) bind(C, name="mpi_alltoallv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Alltoallw
    subroutine MPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, &
        recvtypes, comm, ierror) bind(C, name="mpi_alltoallw_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, ierror) bind(C, name="mpi_alltoallw_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Alltoallw_init
    subroutine MPI_Alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, info, request, ierror) bind(C, name="mpi_alltoallw_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Alltoallw_init_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, info, request, ierror) bind(C, name="mpi_alltoallw_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Barrier(comm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Barrier_init(comm, info, request, ierror)
      import :: MPI_Comm, MPI_Info, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Bcast
    subroutine MPI_Bcast(buffer, count, datatype, root, comm, ierror) bind(C, &
        name="mpi_bcast_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Bcast_c(buffer, count, datatype, root, comm, ierror) bind(C, &
        name="mpi_bcast_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Bcast_init
    subroutine MPI_Bcast_init(buffer, count, datatype, root, comm, info, request, ierror) bind(C, &
        name="mpi_bcast_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Bcast_init_c(buffer, count, datatype, root, comm, info, request, ierror) bind(C, &
        name="mpi_bcast_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Exscan
    subroutine MPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="mpi_exscan_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Exscan_c(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="mpi_exscan_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Exscan_init
    subroutine MPI_Exscan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="mpi_exscan_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Exscan_init_c(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="mpi_exscan_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Gather
    subroutine MPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
        ierror) bind(C, name="mpi_gather_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Gather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
        ierror) bind(C, name="mpi_gather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Gather_init
    subroutine MPI_Gather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, info, request, ierror) bind(C, name="mpi_gather_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Gather_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, info, request, ierror) bind(C, name="mpi_gather_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Gatherv
    subroutine MPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        root, comm, ierror) bind(C, name="mpi_gatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Gatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        root, comm, ierror) bind(C, name="mpi_gatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Gatherv_init
    subroutine MPI_Gatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, root, comm, info, request, ierror) bind(C, name="mpi_gatherv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Gatherv_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, root, comm, info, request, ierror) bind(C, name="mpi_gatherv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Iallgather
    subroutine MPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        request, ierror) bind(C, name="mpi_iallgather_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Iallgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        request, ierror) bind(C, name="mpi_iallgather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Iallgatherv
    subroutine MPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        comm, request, ierror) bind(C, name="mpi_iallgatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Iallgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, request, ierror) bind(C, name="mpi_iallgatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Iallreduce
    subroutine MPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="mpi_iallreduce_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Iallreduce_c(sendbuf, recvbuf, count, datatype, op, comm, request, &
        ierror) bind(C, name="mpi_iallreduce_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ialltoall
    subroutine MPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        request, ierror) bind(C, name="mpi_ialltoall_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ialltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        request, ierror) bind(C, name="mpi_ialltoall_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ialltoallv
    subroutine MPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
        recvtype, comm, request, ierror) bind(C, name="mpi_ialltoallv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ialltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, request, ierror) bind(C, name="mpi_ialltoallv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ialltoallw
    subroutine MPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, request, ierror) bind(C, name="mpi_ialltoallw_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ialltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, request, ierror) bind(C, name="mpi_ialltoallw_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Ibarrier(comm, request, ierror)
      import :: MPI_Comm, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ibcast
    subroutine MPI_Ibcast(buffer, count, datatype, root, comm, request, ierror) bind(C, &
        name="mpi_ibcast_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ibcast_c(buffer, count, datatype, root, comm, request, ierror) bind(C, &
        name="mpi_ibcast_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Iexscan
    subroutine MPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="mpi_iexscan_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Iexscan_c(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="mpi_iexscan_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Igather
    subroutine MPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
        request, ierror) bind(C, name="mpi_igather_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Igather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, request, ierror) bind(C, name="mpi_igather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Igatherv
    subroutine MPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        root, comm, request, ierror) bind(C, name="mpi_igatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Igatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        root, comm, request, ierror) bind(C, name="mpi_igatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ireduce
    subroutine MPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request, &
        ierror) bind(C, name="mpi_ireduce_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ireduce_c(sendbuf, recvbuf, count, datatype, op, root, comm, request, &
        ierror) bind(C, name="mpi_ireduce_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ireduce_scatter
    subroutine MPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, &
        ierror) bind(C, name="mpi_ireduce_scatter_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ireduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, &
        ierror) bind(C, name="mpi_ireduce_scatter_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ireduce_scatter_block
    subroutine MPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, request, &
        ierror) bind(C, name="mpi_ireduce_scatter_block_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ireduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        request, ierror) bind(C, name="mpi_ireduce_scatter_block_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Iscan
    subroutine MPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="mpi_iscan_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Iscan_c(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="mpi_iscan_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Iscatter
    subroutine MPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
        request, ierror) bind(C, name="mpi_iscatter_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Iscatter_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, request, ierror) bind(C, name="mpi_iscatter_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Iscatterv
    subroutine MPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, &
        root, comm, request, ierror) bind(C, name="mpi_iscatterv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Iscatterv_c(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, &
        root, comm, request, ierror) bind(C, name="mpi_iscatterv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Op_commutative(op, commute, ierror)
      import :: MPI_Op
      type(MPI_Op), intent(in) :: op
      logical :: commute
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Op_create(user_fn, commute, op, ierror)
      import :: MPI_Op, MPI_User_function
      procedure(MPI_User_function) :: user_fn
      logical, intent(in) :: commute
      type(MPI_Op) :: op
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine MPI_Op_create_c(user_fn, commute, op, ierror)
      import :: MPI_Op, MPI_User_function_c
      procedure(MPI_User_function_c) :: user_fn
      logical, intent(in) :: commute
      type(MPI_Op) :: op
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Op_free(op, ierror)
      import :: MPI_Op
      type(MPI_Op) :: op
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Reduce
    subroutine MPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm, ierror) bind(C, &
        name="mpi_reduce_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Reduce_c(sendbuf, recvbuf, count, datatype, op, root, comm, ierror) bind(C, &
        name="mpi_reduce_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Reduce_init
    subroutine MPI_Reduce_init(sendbuf, recvbuf, count, datatype, op, root, comm, info, request, &
        ierror) bind(C, name="mpi_reduce_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Reduce_init_c(sendbuf, recvbuf, count, datatype, op, root, comm, info, request, &
        ierror) bind(C, name="mpi_reduce_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Reduce_local
    subroutine MPI_Reduce_local(inbuf, inoutbuf, count, datatype, op, ierror) bind(C, &
        name="mpi_reduce_local_cdesc_")
      import :: MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: inbuf
      type(*), dimension(..), asynchronous, target :: inoutbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Reduce_local_c(inbuf, inoutbuf, count, datatype, op, ierror) bind(C, &
        name="mpi_reduce_local_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: inbuf
      type(*), dimension(..), asynchronous, target :: inoutbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Reduce_scatter
    subroutine MPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, ierror) bind(C, &
        name="mpi_reduce_scatter_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Reduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm, &
        ierror) bind(C, name="mpi_reduce_scatter_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Reduce_scatter_block
    subroutine MPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        ierror) bind(C, name="mpi_reduce_scatter_block_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Reduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        ierror) bind(C, name="mpi_reduce_scatter_block_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Reduce_scatter_block_init
    subroutine MPI_Reduce_scatter_block_init(sendbuf, recvbuf, recvcount, datatype, op, comm, info, &
        request, ierror) bind(C, name="mpi_reduce_scatter_block_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Reduce_scatter_block_init_c(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        info, request, ierror) bind(C, name="mpi_reduce_scatter_block_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Reduce_scatter_init
    subroutine MPI_Reduce_scatter_init(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, &
        request, ierror) bind(C, name="mpi_reduce_scatter_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Reduce_scatter_init_c(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, &
        request, ierror) bind(C, name="mpi_reduce_scatter_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Scan
    subroutine MPI_Scan(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="mpi_scan_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Scan_c(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="mpi_scan_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Scan_init
    subroutine MPI_Scan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="mpi_scan_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Scan_init_c(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="mpi_scan_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Scatter
    subroutine MPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
        ierror) bind(C, name="mpi_scatter_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Scatter_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, ierror) bind(C, name="mpi_scatter_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Scatter_init
    subroutine MPI_Scatter_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, info, request, ierror) bind(C, name="mpi_scatter_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Scatter_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, info, request, ierror) bind(C, name="mpi_scatter_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Scatterv
    subroutine MPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, &
        root, comm, ierror) bind(C, name="mpi_scatterv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Scatterv_c(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, &
        root, comm, ierror) bind(C, name="mpi_scatterv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Scatterv_init
    subroutine MPI_Scatterv_init(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, &
        recvtype, root, comm, info, request, ierror) bind(C, name="mpi_scatterv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Scatterv_init_c(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, &
        recvtype, root, comm, info, request, ierror) bind(C, name="mpi_scatterv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_compare(comm1, comm2, result, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm1
      type(MPI_Comm), intent(in) :: comm2
      integer :: result
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_create(comm, group, newcomm, ierror)
      import :: MPI_Comm, MPI_Group
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Group), intent(in) :: group
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_create_from_group(group, stringtag, info, errhandler, newcomm, ierror)
      import :: MPI_Comm, MPI_Errhandler, MPI_Group, MPI_Info
      type(MPI_Group), intent(in) :: group
      character(len=*), intent(in) :: stringtag
      type(MPI_Info), intent(in) :: info
      type(MPI_Errhandler), intent(in) :: errhandler
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_create_group(comm, group, tag, newcomm, ierror)
      import :: MPI_Comm, MPI_Group
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: tag
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, &
        extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function
      procedure(MPI_Comm_copy_attr_function) :: comm_copy_attr_fn
      procedure(MPI_Comm_delete_attr_function) :: comm_delete_attr_fn
      integer :: comm_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_delete_attr(comm, comm_keyval, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: comm_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_dup(comm, newcomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_dup_with_info(comm, info, newcomm, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_free(comm, ierror)
      import :: MPI_Comm
      type(MPI_Comm) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_free_keyval(comm_keyval, ierror)
      integer :: comm_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_get_attr(comm, comm_keyval, attribute_val, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: comm_keyval
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_get_info(comm, info_used, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info) :: info_used
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_get_name(comm, comm_name, resultlen, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      character(len=*) :: comm_name
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_group(comm, group, ierror)
      import :: MPI_Comm, MPI_Group
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_idup(comm, newcomm, request, ierror)
      import :: MPI_Comm, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: newcomm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_idup_with_info(comm, info, newcomm, request, ierror)
      import :: MPI_Comm, MPI_Info, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm) :: newcomm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_rank(comm, rank, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: rank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_remote_group(comm, group, ierror)
      import :: MPI_Comm, MPI_Group
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_remote_size(comm, size, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_set_attr(comm, comm_keyval, attribute_val, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: comm_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: attribute_val
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_set_info(comm, info, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_set_name(comm, comm_name, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      character(len=*), intent(in) :: comm_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_size(comm, size, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_split(comm, color, key, newcomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: color
      integer, intent(in) :: key
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_split_type(comm, split_type, key, info, newcomm, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: split_type
      integer, intent(in) :: key
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_test_inter(comm, flag, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_compare(group1, group2, result, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      type(MPI_Group), intent(in) :: group2
      integer :: result
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_difference(group1, group2, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      type(MPI_Group), intent(in) :: group2
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_excl(group, n, ranks, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: n
      integer, intent(in) :: ranks(*)
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_free(group, ierror)
      import :: MPI_Group
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_from_session_pset(session, pset_name, newgroup, ierror)
      import :: MPI_Group, MPI_Session
      type(MPI_Session), intent(in) :: session
      character(len=*), intent(in) :: pset_name
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_incl(group, n, ranks, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: n
      integer, intent(in) :: ranks(*)
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_intersection(group1, group2, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      type(MPI_Group), intent(in) :: group2
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_range_excl(group, n, ranges, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: n
      integer, intent(in) :: ranges(3, *)
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_range_incl(group, n, ranges, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: n
      integer, intent(in) :: ranges(3, *)
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_rank(group, rank, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer :: rank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_size(group, size, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_translate_ranks(group1, n, ranks1, group2, ranks2, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      integer, intent(in) :: n
      integer, intent(in) :: ranks1(*)
      type(MPI_Group), intent(in) :: group2
      integer :: ranks2(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Group_union(group1, group2, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      type(MPI_Group), intent(in) :: group2
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, &
        newintercomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: local_comm
      integer, intent(in) :: local_leader
      type(MPI_Comm), intent(in) :: peer_comm
      integer, intent(in) :: remote_leader
      integer, intent(in) :: tag
      type(MPI_Comm) :: newintercomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Intercomm_create_from_groups(local_group, local_leader, remote_group, &
        remote_leader, stringtag, info, errhandler, newintercomm, ierror)
      import :: MPI_Comm, MPI_Errhandler, MPI_Group, MPI_Info
      type(MPI_Group), intent(in) :: local_group
      integer, intent(in) :: local_leader
      type(MPI_Group), intent(in) :: remote_group
      integer, intent(in) :: remote_leader
      character(len=*), intent(in) :: stringtag
      type(MPI_Info), intent(in) :: info
      type(MPI_Errhandler), intent(in) :: errhandler
      type(MPI_Comm) :: newintercomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Intercomm_merge(intercomm, high, newintracomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: intercomm
      logical, intent(in) :: high
      type(MPI_Comm) :: newintracomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_create_keyval(type_copy_attr_fn, type_delete_attr_fn, type_keyval, &
        extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function
      procedure(MPI_Type_copy_attr_function) :: type_copy_attr_fn
      procedure(MPI_Type_delete_attr_function) :: type_delete_attr_fn
      integer :: type_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_delete_attr(datatype, type_keyval, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: type_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_free_keyval(type_keyval, ierror)
      integer :: type_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_get_attr(datatype, type_keyval, attribute_val, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: type_keyval
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_get_name(datatype, type_name, resultlen, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      character(len=*) :: type_name
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_set_attr(datatype, type_keyval, attribute_val, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: type_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: attribute_val
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_set_name(datatype, type_name, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      character(len=*), intent(in) :: type_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_create_keyval(win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state, &
        ierror)
      import :: MPI_ADDRESS_KIND, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function
      procedure(MPI_Win_copy_attr_function) :: win_copy_attr_fn
      procedure(MPI_Win_delete_attr_function) :: win_delete_attr_fn
      integer :: win_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_delete_attr(win, win_keyval, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: win_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_free_keyval(win_keyval, ierror)
      integer :: win_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_get_attr(win, win_keyval, attribute_val, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: win_keyval
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_get_name(win, win_name, resultlen, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      character(len=*) :: win_name
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_set_attr(win, win_keyval, attribute_val, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: win_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: attribute_val
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_set_name(win, win_name, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      character(len=*), intent(in) :: win_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cart_coords(comm, rank, maxdims, coords, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: rank
      integer, intent(in) :: maxdims
      integer :: coords(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm_old
      integer, intent(in) :: ndims
      integer, intent(in) :: dims(*)
      logical, intent(in) :: periods(*)
      logical, intent(in) :: reorder
      type(MPI_Comm) :: comm_cart
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cart_get(comm, maxdims, dims, periods, coords, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: maxdims
      integer :: dims(*)
      logical :: periods(*)
      integer :: coords(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cart_map(comm, ndims, dims, periods, newrank, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: ndims
      integer, intent(in) :: dims(*)
      logical, intent(in) :: periods(*)
      integer :: newrank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cart_rank(comm, coords, rank, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: coords(*)
      integer :: rank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cart_shift(comm, direction, disp, rank_source, rank_dest, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: direction
      integer, intent(in) :: disp
      integer :: rank_source
      integer :: rank_dest
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cart_sub(comm, remain_dims, newcomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      logical, intent(in) :: remain_dims(*)
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Cartdim_get(comm, ndims, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: ndims
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Dims_create(nnodes, ndims, dims, ierror)
      integer, intent(in) :: nnodes
      integer, intent(in) :: ndims
      integer :: dims(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info, &
        reorder, comm_dist_graph, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm_old
      integer, intent(in) :: n
      integer, intent(in) :: sources(*)
      integer, intent(in) :: degrees(*)
      integer, intent(in) :: destinations(*)
      integer, intent(in) :: weights(*)
      type(MPI_Info), intent(in) :: info
      logical, intent(in) :: reorder
      type(MPI_Comm) :: comm_dist_graph
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, &
        outdegree, destinations, destweights, info, reorder, comm_dist_graph, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm_old
      integer, intent(in) :: indegree
      integer, intent(in) :: sources(*)
      integer, intent(in) :: sourceweights(*)
      integer, intent(in) :: outdegree
      integer, intent(in) :: destinations(*)
      integer, intent(in) :: destweights(*)
      type(MPI_Info), intent(in) :: info
      logical, intent(in) :: reorder
      type(MPI_Comm) :: comm_dist_graph
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Dist_graph_neighbors(comm, maxindegree, sources, sourceweights, maxoutdegree, &
        destinations, destweights, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: maxindegree
      integer :: sources(*)
      integer :: sourceweights(*)
      integer, intent(in) :: maxoutdegree
      integer :: destinations(*)
      integer :: destweights(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Dist_graph_neighbors_count(comm, indegree, outdegree, weighted, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: indegree
      integer :: outdegree
      logical :: weighted
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Graph_create(comm_old, nnodes, index, edges, reorder, comm_graph, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm_old
      integer, intent(in) :: nnodes
      integer, intent(in) :: index(*)
      integer, intent(in) :: edges(*)
      logical, intent(in) :: reorder
      type(MPI_Comm) :: comm_graph
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Graph_get(comm, maxindex, maxedges, index, edges, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: maxindex
      integer, intent(in) :: maxedges
      integer :: index(*)
      integer :: edges(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Graph_map(comm, nnodes, index, edges, newrank, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: nnodes
      integer, intent(in) :: index(*)
      integer, intent(in) :: edges(*)
      integer :: newrank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Graph_neighbors(comm, rank, maxneighbors, neighbors, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: rank
      integer, intent(in) :: maxneighbors
      integer :: neighbors(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Graph_neighbors_count(comm, rank, nneighbors, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: rank
      integer :: nneighbors
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Graphdims_get(comm, nnodes, nedges, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: nnodes
      integer :: nedges
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ineighbor_allgather
    subroutine MPI_Ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, request, ierror) bind(C, name="mpi_ineighbor_allgather_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ineighbor_allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, request, ierror) bind(C, name="mpi_ineighbor_allgather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ineighbor_allgatherv
    subroutine MPI_Ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, request, ierror) bind(C, name="mpi_ineighbor_allgatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ineighbor_allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
        displs, recvtype, comm, request, ierror) bind(C, name="mpi_ineighbor_allgatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ineighbor_alltoall
    subroutine MPI_Ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, request, ierror) bind(C, name="mpi_ineighbor_alltoall_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ineighbor_alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, request, ierror) bind(C, name="mpi_ineighbor_alltoall_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ineighbor_alltoallv
    subroutine MPI_Ineighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, request, ierror) bind(C, name="mpi_ineighbor_alltoallv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ineighbor_alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, request, ierror) bind(C, &
        name="mpi_ineighbor_alltoallv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Ineighbor_alltoallw
    subroutine MPI_Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, request, ierror) bind(C, &
        name="mpi_ineighbor_alltoallw_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Ineighbor_alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, request, ierror) bind(C, &
        name="mpi_ineighbor_alltoallw_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_allgather
    subroutine MPI_Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, ierror) bind(C, name="mpi_neighbor_allgather_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, ierror) bind(C, name="mpi_neighbor_allgather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_allgather_init
    subroutine MPI_Neighbor_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, info, request, ierror) bind(C, name="mpi_neighbor_allgather_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_allgather_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, info, request, ierror) bind(C, name="mpi_neighbor_allgather_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_allgatherv
    subroutine MPI_Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, ierror) bind(C, name="mpi_neighbor_allgatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, ierror) bind(C, name="mpi_neighbor_allgatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_allgatherv_init
    subroutine MPI_Neighbor_allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
        displs, recvtype, comm, info, request, ierror) bind(C, &
        name="mpi_neighbor_allgatherv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_allgatherv_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
        displs, recvtype, comm, info, request, ierror) bind(C, &
        name="mpi_neighbor_allgatherv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_alltoall
    subroutine MPI_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, ierror) bind(C, name="mpi_neighbor_alltoall_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, ierror) bind(C, name="mpi_neighbor_alltoall_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_alltoall_init
    subroutine MPI_Neighbor_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, info, request, ierror) bind(C, name="mpi_neighbor_alltoall_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_alltoall_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, info, request, ierror) bind(C, name="mpi_neighbor_alltoall_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_alltoallv
    subroutine MPI_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, ierror) bind(C, name="mpi_neighbor_alltoallv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, ierror) bind(C, name="mpi_neighbor_alltoallv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_alltoallv_init
    subroutine MPI_Neighbor_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, info, request, ierror) bind(C, &
        name="mpi_neighbor_alltoallv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_alltoallv_init_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, info, request, ierror) bind(C, &
        name="mpi_neighbor_alltoallv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_alltoallw
    subroutine MPI_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, ierror) bind(C, name="mpi_neighbor_alltoallw_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, ierror) bind(C, &
        name="mpi_neighbor_alltoallw_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Neighbor_alltoallw_init
    subroutine MPI_Neighbor_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, info, request, ierror) bind(C, &
        name="mpi_neighbor_alltoallw_init_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Neighbor_alltoallw_init_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, info, request, ierror) bind(C, &
        name="mpi_neighbor_alltoallw_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Topo_test(comm, status, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Add_error_class(errorclass, ierror)
      integer :: errorclass
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Add_error_code(errorclass, errorcode, ierror)
      integer, intent(in) :: errorclass
      integer :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Add_error_string(errorcode, string, ierror)
      integer, intent(in) :: errorcode
      character(len=*), intent(in) :: string
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Alloc_mem(size, info, baseptr, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Info
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      type(MPI_Info), intent(in) :: info
      type(C_PTR) :: baseptr
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_call_errhandler(comm, errorcode, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_create_errhandler(comm_errhandler_fn, errhandler, ierror)
      import :: MPI_Comm_errhandler_function, MPI_Errhandler
      procedure(MPI_Comm_errhandler_function) :: comm_errhandler_fn
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_get_errhandler(comm, errhandler, ierror)
      import :: MPI_Comm, MPI_Errhandler
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_set_errhandler(comm, errhandler, ierror)
      import :: MPI_Comm, MPI_Errhandler
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Errhandler), intent(in) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Errhandler_free(errhandler, ierror)
      import :: MPI_Errhandler
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Error_class(errorcode, errorclass, ierror)
      integer, intent(in) :: errorcode
      integer :: errorclass
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Error_string(errorcode, string, resultlen, ierror)
      integer, intent(in) :: errorcode
      character(len=*) :: string
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_call_errhandler(fh, errorcode, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_create_errhandler(file_errhandler_fn, errhandler, ierror)
      import :: MPI_Errhandler, MPI_File_errhandler_function
      procedure(MPI_File_errhandler_function) :: file_errhandler_fn
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_errhandler(file, errhandler, ierror)
      import :: MPI_Errhandler, MPI_File
      type(MPI_File), intent(in) :: file
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_set_errhandler(file, errhandler, ierror)
      import :: MPI_Errhandler, MPI_File
      type(MPI_File), intent(in) :: file
      type(MPI_Errhandler), intent(in) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Free_mem(base, ierror) bind(C, name="mpi_free_mem_cdesc_")
      type(*), dimension(..), asynchronous, target :: base
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Get_library_version(version, resultlen, ierror)
      character(len=*) :: version
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Get_processor_name(name, resultlen, ierror)
      character(len=*) :: name
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Get_version(version, subversion, ierror)
      integer :: version
      integer :: subversion
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Remove_error_class(errorclass, ierror)
      integer, intent(in) :: errorclass
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Remove_error_code(errorcode, ierror)
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Remove_error_string(errorcode, ierror)
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_call_errhandler(session, errorcode, ierror)
      import :: MPI_Session
      type(MPI_Session), intent(in) :: session
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_create_errhandler(session_errhandler_fn, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Session_errhandler_function
      procedure(MPI_Session_errhandler_function) :: session_errhandler_fn
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_get_errhandler(session, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_set_errhandler(session, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Errhandler), intent(in) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_call_errhandler(win, errorcode, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_create_errhandler(win_errhandler_fn, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Win_errhandler_function
      procedure(MPI_Win_errhandler_function) :: win_errhandler_fn
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_get_errhandler(win, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_set_errhandler(win, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Errhandler), intent(in) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_create(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_create_env(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_delete(info, key, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_dup(info, newinfo, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      type(MPI_Info) :: newinfo
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_free(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_get_nkeys(info, nkeys, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      integer :: nkeys
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_get_nthkey(info, n, key, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: n
      character(len=*) :: key
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_get_string(info, key, buflen, value, flag, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer :: buflen
      character(len=*) :: value
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_set(info, key, value, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      character(len=*), intent(in) :: value
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Abort(comm, errorcode, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Close_port(port_name, ierror)
      character(len=*), intent(in) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_accept(port_name, info, root, comm, newcomm, ierror)
      import :: MPI_Comm, MPI_Info
      character(len=*), intent(in) :: port_name
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_connect(port_name, info, root, comm, newcomm, ierror)
      import :: MPI_Comm, MPI_Info
      character(len=*), intent(in) :: port_name
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_disconnect(comm, ierror)
      import :: MPI_Comm
      type(MPI_Comm) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_get_parent(parent, ierror)
      import :: MPI_Comm
      type(MPI_Comm) :: parent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_join(fd, intercomm, ierror)
      import :: MPI_Comm
      integer, intent(in) :: fd
      type(MPI_Comm) :: intercomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, &
        array_of_errcodes, ierror)
      import :: MPI_Comm, MPI_Info
      character(len=*), intent(in) :: command
      character(len=*), intent(in) :: argv(*)
      integer, intent(in) :: maxprocs
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: intercomm
      integer :: array_of_errcodes(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, &
        array_of_info, root, comm, intercomm, array_of_errcodes, ierror)
      import :: MPI_Comm, MPI_Info
      integer, intent(in) :: count
      character(len=*), intent(in) :: array_of_commands(*)
      character(len=*), intent(in) :: array_of_argv(count, *)
      integer, intent(in) :: array_of_maxprocs(*)
      type(MPI_Info), intent(in) :: array_of_info(*)
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: intercomm
      integer :: array_of_errcodes(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Finalize(ierror)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Finalized(flag, ierror)
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Get_hw_resource_info(hw_info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: hw_info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Init(ierror)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Init_thread(required, provided, ierror)
      integer, intent(in) :: required
      integer :: provided
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Initialized(flag, ierror)
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Is_thread_main(flag, ierror)
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Lookup_name(service_name, info, port_name, ierror)
      import :: MPI_Info
      character(len=*), intent(in) :: service_name
      type(MPI_Info), intent(in) :: info
      character(len=*) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Open_port(info, port_name, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Publish_name(service_name, info, port_name, ierror)
      import :: MPI_Info
      character(len=*), intent(in) :: service_name
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Query_thread(provided, ierror)
      integer :: provided
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_finalize(session, ierror)
      import :: MPI_Session
      type(MPI_Session) :: session
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_get_info(session, info_used, ierror)
      import :: MPI_Info, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Info) :: info_used
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_get_nth_pset(session, info, n, pset_len, pset_name, ierror)
      import :: MPI_Info, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: n
      integer :: pset_len
      character(len=*) :: pset_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_get_num_psets(session, info, npset_names, ierror)
      import :: MPI_Info, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Info), intent(in) :: info
      integer :: npset_names
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_get_pset_info(session, pset_name, info, ierror)
      import :: MPI_Info, MPI_Session
      type(MPI_Session), intent(in) :: session
      character(len=*), intent(in) :: pset_name
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Session_init(info, errhandler, session, ierror)
      import :: MPI_Errhandler, MPI_Info, MPI_Session
      type(MPI_Info), intent(in) :: info
      type(MPI_Errhandler), intent(in) :: errhandler
      type(MPI_Session) :: session
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Unpublish_name(service_name, info, port_name, ierror)
      import :: MPI_Info
      character(len=*), intent(in) :: service_name
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Accumulate
    subroutine MPI_Accumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, op, win, ierror) bind(C, name="mpi_accumulate_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Accumulate_c(origin_addr, origin_count, origin_datatype, target_rank, &
        target_disp, target_count, target_datatype, op, win, ierror) bind(C, &
        name="mpi_accumulate_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, &
        target_disp, win, ierror) bind(C, name="mpi_compare_and_swap_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      type(*), dimension(..), asynchronous, target :: compare_addr
      type(*), dimension(..), asynchronous, target :: result_addr
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, &
        win, ierror) bind(C, name="mpi_fetch_and_op_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      type(*), dimension(..), asynchronous, target :: result_addr
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Get
    subroutine MPI_Get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, ierror) bind(C, name="mpi_get_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Get_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, ierror) bind(C, name="mpi_get_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Get_accumulate
    subroutine MPI_Get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, &
        result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, &
        win, ierror) bind(C, name="mpi_get_accumulate_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      type(*), dimension(..), asynchronous, target :: result_addr
      integer, intent(in) :: result_count
      type(MPI_Datatype), intent(in) :: result_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Get_accumulate_c(origin_addr, origin_count, origin_datatype, result_addr, &
        result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, &
        win, ierror) bind(C, name="mpi_get_accumulate_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      type(*), dimension(..), asynchronous, target :: result_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: result_count
      type(MPI_Datatype), intent(in) :: result_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Put
    subroutine MPI_Put(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, ierror) bind(C, name="mpi_put_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Put_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, ierror) bind(C, name="mpi_put_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Raccumulate
    subroutine MPI_Raccumulate(origin_addr, origin_count, origin_datatype, target_rank, &
        target_disp, target_count, target_datatype, op, win, request, ierror) bind(C, &
        name="mpi_raccumulate_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Raccumulate_c(origin_addr, origin_count, origin_datatype, target_rank, &
        target_disp, target_count, target_datatype, op, win, request, ierror) bind(C, &
        name="mpi_raccumulate_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Op, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Rget
    subroutine MPI_Rget(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, request, ierror) bind(C, name="mpi_rget_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Rget_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, request, ierror) bind(C, name="mpi_rget_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Rget_accumulate
    subroutine MPI_Rget_accumulate(origin_addr, origin_count, origin_datatype, result_addr, &
        result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, &
        win, request, ierror) bind(C, name="mpi_rget_accumulate_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      type(*), dimension(..), asynchronous, target :: result_addr
      integer, intent(in) :: result_count
      type(MPI_Datatype), intent(in) :: result_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Rget_accumulate_c(origin_addr, origin_count, origin_datatype, result_addr, &
        result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, &
        win, request, ierror) bind(C, name="mpi_rget_accumulate_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Op, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      type(*), dimension(..), asynchronous, target :: result_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: result_count
      type(MPI_Datatype), intent(in) :: result_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Rput
    subroutine MPI_Rput(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, request, ierror) bind(C, name="mpi_rput_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Rput_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, request, ierror) bind(C, name="mpi_rput_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Win_allocate
    subroutine MPI_Win_allocate(size, disp_unit, info, comm, baseptr, win, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer, intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: baseptr
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Win_allocate_c(size, disp_unit, info, comm, baseptr, win, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: baseptr
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Win_allocate_shared
    subroutine MPI_Win_allocate_shared(size, disp_unit, info, comm, baseptr, win, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer, intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: baseptr
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Win_allocate_shared_c(size, disp_unit, info, comm, baseptr, win, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: baseptr
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_attach(win, base, size, ierror) bind(C, name="mpi_win_attach_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(*), dimension(..), asynchronous, target :: base
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_complete(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Win_create
    subroutine MPI_Win_create(base, size, disp_unit, info, comm, win, ierror) bind(C, &
        name="mpi_win_create_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      type(*), dimension(..), asynchronous, target :: base
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer, intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Win_create_c(base, size, disp_unit, info, comm, win, ierror) bind(C, &
        name="mpi_win_create_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      type(*), dimension(..), asynchronous, target :: base
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_create_dynamic(info, comm, win, ierror)
      import :: MPI_Comm, MPI_Info, MPI_Win
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_detach(win, base, ierror) bind(C, name="mpi_win_detach_cdesc_")
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      type(*), dimension(..), asynchronous, target :: base
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_fence(assert, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_flush(rank, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: rank
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_flush_all(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_flush_local(rank, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: rank
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_flush_local_all(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_free(win, ierror)
      import :: MPI_Win
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_get_group(win, group, ierror)
      import :: MPI_Group, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_get_info(win, info_used, ierror)
      import :: MPI_Info, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Info) :: info_used
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_lock(lock_type, rank, assert, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: lock_type
      integer, intent(in) :: rank
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_lock_all(assert, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_post(group, assert, win, ierror)
      import :: MPI_Group, MPI_Win
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_set_info(win, info, ierror)
      import :: MPI_Info, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Win_shared_query
    subroutine MPI_Win_shared_query(win, rank, size, disp_unit, baseptr, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: rank
      integer(kind=MPI_ADDRESS_KIND) :: size
      integer :: disp_unit
      type(C_PTR) :: baseptr
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Win_shared_query_c(win, rank, size, disp_unit, baseptr, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: rank
      integer(kind=MPI_ADDRESS_KIND) :: size
      integer(kind=MPI_ADDRESS_KIND) :: disp_unit
      type(C_PTR) :: baseptr
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_start(group, assert, win, ierror)
      import :: MPI_Group, MPI_Win
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_sync(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_test(win, flag, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_unlock(rank, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: rank
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_unlock_all(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Win_wait(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Grequest_complete(request, ierror)
      import :: MPI_Request
      type(MPI_Request), intent(in) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Grequest_start(query_fn, free_fn, cancel_fn, extra_state, request, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Grequest_cancel_function, MPI_Grequest_free_function, &
        MPI_Grequest_query_function, MPI_Request
      procedure(MPI_Grequest_query_function) :: query_fn
      procedure(MPI_Grequest_free_function) :: free_fn
      procedure(MPI_Grequest_cancel_function) :: cancel_fn
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Status_set_cancelled(status, flag, ierror)
      import :: MPI_Status
      type(MPI_Status) :: status
      logical, intent(in) :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_Status_set_elements
    subroutine MPI_Status_set_elements(status, datatype, count, ierror)
      import :: MPI_Datatype, MPI_Status
      type(MPI_Status) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: count
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_Status_set_elements_c(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_close(fh, ierror)
      import :: MPI_File
      type(MPI_File) :: fh
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_delete(filename, info, ierror)
      import :: MPI_Info
      character(len=*), intent(in) :: filename
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_amode(fh, amode, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      integer :: amode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_atomicity(fh, flag, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_byte_offset(fh, offset, disp, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      integer(kind=MPI_OFFSET_KIND) :: disp
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_group(fh, group, ierror)
      import :: MPI_File, MPI_Group
      type(MPI_File), intent(in) :: fh
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_info(fh, info_used, ierror)
      import :: MPI_File, MPI_Info
      type(MPI_File), intent(in) :: fh
      type(MPI_Info) :: info_used
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_position(fh, offset, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND) :: offset
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_position_shared(fh, offset, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND) :: offset
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_size(fh, size, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_type_extent(fh, datatype, extent, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine MPI_File_get_type_extent_c(fh, datatype, extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_get_view(fh, disp, etype, filetype, datarep, ierror)
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND) :: disp
      type(MPI_Datatype) :: etype
      type(MPI_Datatype) :: filetype
      character(len=*) :: datarep
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iread
    subroutine MPI_File_iread(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iread_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iread_all
    subroutine MPI_File_iread_all(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iread_all_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iread_at
    subroutine MPI_File_iread_at(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_at_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iread_at_c(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_at_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iread_at_all
    subroutine MPI_File_iread_at_all(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_at_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iread_at_all_c(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_at_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iread_shared
    subroutine MPI_File_iread_shared(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_shared_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iread_shared_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iread_shared_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iwrite
    subroutine MPI_File_iwrite(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iwrite_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iwrite_all
    subroutine MPI_File_iwrite_all(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iwrite_all_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iwrite_at
    subroutine MPI_File_iwrite_at(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_at_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iwrite_at_c(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_at_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iwrite_at_all
    subroutine MPI_File_iwrite_at_all(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_at_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iwrite_at_all_c(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_at_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_iwrite_shared
    subroutine MPI_File_iwrite_shared(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_shared_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_iwrite_shared_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="mpi_file_iwrite_shared_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_open(comm, filename, amode, info, fh, ierror)
      import :: MPI_Comm, MPI_File, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      character(len=*), intent(in) :: filename
      integer, intent(in) :: amode
      type(MPI_Info), intent(in) :: info
      type(MPI_File) :: fh
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_preallocate(fh, size, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read
    subroutine MPI_File_read(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read_all
    subroutine MPI_File_read_all(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_all_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read_all_begin
    subroutine MPI_File_read_all_begin(fh, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_read_all_begin_cdesc_")
      import :: MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_all_begin_c(fh, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_read_all_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_read_all_end(fh, buf, status, ierror) bind(C, &
        name="mpi_file_read_all_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read_at
    subroutine MPI_File_read_at(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_at_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_at_c(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_at_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read_at_all
    subroutine MPI_File_read_at_all(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_at_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_at_all_c(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_at_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read_at_all_begin
    subroutine MPI_File_read_at_all_begin(fh, offset, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_read_at_all_begin_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_at_all_begin_c(fh, offset, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_read_at_all_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_read_at_all_end(fh, buf, status, ierror) bind(C, &
        name="mpi_file_read_at_all_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read_ordered
    subroutine MPI_File_read_ordered(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_ordered_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_ordered_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_ordered_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read_ordered_begin
    subroutine MPI_File_read_ordered_begin(fh, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_read_ordered_begin_cdesc_")
      import :: MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_ordered_begin_c(fh, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_read_ordered_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_read_ordered_end(fh, buf, status, ierror) bind(C, &
        name="mpi_file_read_ordered_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_read_shared
    subroutine MPI_File_read_shared(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_shared_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_read_shared_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_read_shared_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_seek(fh, offset, whence, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      integer, intent(in) :: whence
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_seek_shared(fh, offset, whence, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      integer, intent(in) :: whence
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_set_atomicity(fh, flag, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      logical, intent(in) :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_set_info(fh, info, ierror)
      import :: MPI_File, MPI_Info
      type(MPI_File), intent(in) :: fh
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_set_size(fh, size, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_set_view(fh, disp, etype, filetype, datarep, info, ierror)
      import :: MPI_Datatype, MPI_File, MPI_Info, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: disp
      type(MPI_Datatype), intent(in) :: etype
      type(MPI_Datatype), intent(in) :: filetype
      character(len=*), intent(in) :: datarep
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_sync(fh, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write
    subroutine MPI_File_write(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write_all
    subroutine MPI_File_write_all(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_all_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write_all_begin
    subroutine MPI_File_write_all_begin(fh, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_write_all_begin_cdesc_")
      import :: MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_all_begin_c(fh, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_write_all_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_write_all_end(fh, buf, status, ierror) bind(C, &
        name="mpi_file_write_all_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write_at
    subroutine MPI_File_write_at(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_at_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_at_c(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_at_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write_at_all
    subroutine MPI_File_write_at_all(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_at_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_at_all_c(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_at_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write_at_all_begin
    subroutine MPI_File_write_at_all_begin(fh, offset, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_write_at_all_begin_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_at_all_begin_c(fh, offset, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_write_at_all_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_write_at_all_end(fh, buf, status, ierror) bind(C, &
        name="mpi_file_write_at_all_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write_ordered
    subroutine MPI_File_write_ordered(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_ordered_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_ordered_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_ordered_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write_ordered_begin
    subroutine MPI_File_write_ordered_begin(fh, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_write_ordered_begin_cdesc_")
      import :: MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_ordered_begin_c(fh, buf, count, datatype, ierror) bind(C, &
        name="mpi_file_write_ordered_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_File_write_ordered_end(fh, buf, status, ierror) bind(C, &
        name="mpi_file_write_ordered_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface MPI_File_write_shared
    subroutine MPI_File_write_shared(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_shared_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine MPI_File_write_shared_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="mpi_file_write_shared_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Register_datarep(datarep, read_conversion_fn, write_conversion_fn, &
        dtype_file_extent_fn, extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datarep_conversion_function, MPI_Datarep_extent_function
      character(len=*), intent(in) :: datarep
      procedure(MPI_Datarep_conversion_function) :: read_conversion_fn
      procedure(MPI_Datarep_conversion_function) :: write_conversion_fn
      procedure(MPI_Datarep_extent_function) :: dtype_file_extent_fn
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_get(info, key, valuelen, value, flag, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer, intent(in) :: valuelen
      character(len=*) :: value
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Info_get_valuelen(info, key, valuelen, flag, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer :: valuelen
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Get_elements_x(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Status_set_elements_x(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_get_extent_x(datatype, lb, extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: lb
      integer(kind=MPI_COUNT_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_get_true_extent_x(datatype, true_lb, true_extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: true_lb
      integer(kind=MPI_COUNT_KIND) :: true_extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_size_x(datatype, size, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_create_f90_complex(p, r, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: p
      integer, intent(in) :: r
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_create_f90_integer(r, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: r
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_create_f90_real(p, r, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: p
      integer, intent(in) :: r
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Type_match_size(typeclass, size, datatype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: typeclass
      integer, intent(in) :: size
      type(MPI_Datatype) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Abi_get_fortran_booleans(logical_size, logical_true, logical_false, is_set, &
        ierror)
      integer, intent(in) :: logical_size
      !GCC$ attributes no_arg_check :: logical_true
      !DIR$ ignore_tkr logical_true
      type(*), dimension(*), asynchronous, target :: logical_true
      !GCC$ attributes no_arg_check :: logical_false
      !DIR$ ignore_tkr logical_false
      type(*), dimension(*), asynchronous, target :: logical_false
      logical :: is_set
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Abi_get_fortran_info(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Abi_get_info(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Abi_get_version(abi_major, abi_minor, ierror)
      integer :: abi_major
      integer :: abi_minor
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Abi_set_fortran_booleans(logical_size, logical_true, logical_false, ierror)
      integer, intent(in) :: logical_size
      !GCC$ attributes no_arg_check :: logical_true
      !DIR$ ignore_tkr logical_true
      type(*), dimension(*), asynchronous, target :: logical_true
      !GCC$ attributes no_arg_check :: logical_false
      !DIR$ ignore_tkr logical_false
      type(*), dimension(*), asynchronous, target :: logical_false
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine MPI_Abi_set_fortran_info(info, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
function MPI_Aint_add(base, disp)
      import :: MPI_ADDRESS_KIND
      integer(kind=MPI_ADDRESS_KIND) :: MPI_Aint_add
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: base, disp
    end function
    function MPI_Aint_diff(addr1, addr2)
      import :: MPI_ADDRESS_KIND
      integer(kind=MPI_ADDRESS_KIND) :: MPI_Aint_diff
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: addr1, addr2
    end function
    subroutine MPI_F_sync_reg(buf) bind(C, name="mpi_f_sync_reg_")
      type(*), dimension(..), asynchronous :: buf
    end subroutine
    subroutine MPI_Pcontrol(level)
      integer, intent(in) :: level
    end subroutine
    function MPI_Wtick()
      double precision :: MPI_Wtick
    end function
    function MPI_Wtime()
      double precision :: MPI_Wtime
    end function
  end interface
  interface PMPI_Bsend
    subroutine PMPI_Bsend(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="pmpi_bsend_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Bsend_c(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="pmpi_bsend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Bsend_init
    subroutine PMPI_Bsend_init(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_bsend_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Bsend_init_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_bsend_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Buffer_attach
    subroutine PMPI_Buffer_attach(buffer, size, ierror) bind(C, name="pmpi_buffer_attach_cdesc_")
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Buffer_attach_c(buffer, size, ierror) bind(C, &
        name="pmpi_buffer_attach_c_cdesc_")
      import :: MPI_COUNT_KIND
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Buffer_detach
    subroutine PMPI_Buffer_detach_f08(buffer_addr, size, ierror)
      import :: C_PTR
      type(C_PTR) :: buffer_addr
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Buffer_flush(ierror)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Buffer_iflush(request, ierror)
      import :: MPI_Request
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cancel(request, ierror)
      import :: MPI_Request
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Comm_attach_buffer
    subroutine PMPI_Comm_attach_buffer(comm, buffer, size, ierror) bind(C, &
        name="pmpi_comm_attach_buffer_cdesc_")
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Comm_attach_buffer_c(comm, buffer, size, ierror) bind(C, &
        name="pmpi_comm_attach_buffer_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Comm_detach_buffer
    subroutine PMPI_Comm_detach_buffer_f08(comm, buffer_addr, size, ierror)
      import :: C_PTR, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: buffer_addr
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_flush_buffer(comm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_iflush_buffer(comm, request, ierror)
      import :: MPI_Comm, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Get_count
    subroutine PMPI_Get_count(status, datatype, count, ierror)
      import :: MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer :: count
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Get_count_c(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ibsend
    subroutine PMPI_Ibsend(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_ibsend_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ibsend_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_ibsend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Improbe(source, tag, comm, flag, message, status, ierror)
      import :: MPI_Comm, MPI_Message, MPI_Status
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      logical :: flag
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Imrecv
    subroutine PMPI_Imrecv(buf, count, datatype, message, request, ierror) bind(C, &
        name="pmpi_imrecv_cdesc_")
      import :: MPI_Datatype, MPI_Message, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Message) :: message
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Imrecv_c(buf, count, datatype, message, request, ierror) bind(C, &
        name="pmpi_imrecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Message, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Message) :: message
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Iprobe(source, tag, comm, flag, status, ierror)
      import :: MPI_Comm, MPI_Status
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Irecv
    subroutine PMPI_Irecv(buf, count, datatype, source, tag, comm, request, ierror) bind(C, &
        name="pmpi_irecv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Irecv_c(buf, count, datatype, source, tag, comm, request, ierror) bind(C, &
        name="pmpi_irecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Irsend
    subroutine PMPI_Irsend(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_irsend_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Irsend_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_irsend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Isend
    subroutine PMPI_Isend(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_isend_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Isend_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_isend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Isendrecv
    subroutine PMPI_Isendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
        recvtype, source, recvtag, comm, request, ierror) bind(C, name="pmpi_isendrecv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Isendrecv_c(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
        recvtype, source, recvtag, comm, request, ierror) bind(C, name="pmpi_isendrecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Isendrecv_replace
    subroutine PMPI_Isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, &
        request, ierror) bind(C, name="pmpi_isendrecv_replace_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Isendrecv_replace_c(buf, count, datatype, dest, sendtag, source, recvtag, comm, &
        request, ierror) bind(C, name="pmpi_isendrecv_replace_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Issend
    subroutine PMPI_Issend(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_issend_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Issend_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_issend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Mprobe(source, tag, comm, message, status, ierror)
      import :: MPI_Comm, MPI_Message, MPI_Status
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Mrecv
    subroutine PMPI_Mrecv(buf, count, datatype, message, status, ierror) bind(C, &
        name="pmpi_mrecv_cdesc_")
      import :: MPI_Datatype, MPI_Message, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Mrecv_c(buf, count, datatype, message, status, ierror) bind(C, &
        name="pmpi_mrecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Message, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Probe(source, tag, comm, status, ierror)
      import :: MPI_Comm, MPI_Status
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Recv
    subroutine PMPI_Recv(buf, count, datatype, source, tag, comm, status, ierror) bind(C, &
        name="pmpi_recv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Recv_c(buf, count, datatype, source, tag, comm, status, ierror) bind(C, &
        name="pmpi_recv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Recv_init
    subroutine PMPI_Recv_init(buf, count, datatype, source, tag, comm, request, ierror) bind(C, &
        name="pmpi_recv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Recv_init_c(buf, count, datatype, source, tag, comm, request, ierror) bind(C, &
        name="pmpi_recv_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: source
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Request_free(request, ierror)
      import :: MPI_Request
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Request_get_status(request, flag, status, ierror)
      import :: MPI_Request, MPI_Status
      type(MPI_Request), intent(in) :: request
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Request_get_status_all(count, array_of_requests, flag, array_of_statuses, &
        ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request), intent(in) :: array_of_requests(*)
      logical :: flag
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Request_get_status_any(count, array_of_requests, index, flag, status, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request), intent(in) :: array_of_requests(*)
      integer :: index
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Request_get_status_some(incount, array_of_requests, outcount, array_of_indices, &
        array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: incount
      type(MPI_Request), intent(in) :: array_of_requests(*)
      integer :: outcount
      integer :: array_of_indices(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Rsend
    subroutine PMPI_Rsend(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="pmpi_rsend_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Rsend_c(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="pmpi_rsend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Rsend_init
    subroutine PMPI_Rsend_init(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_rsend_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Rsend_init_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_rsend_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Send
    subroutine PMPI_Send(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="pmpi_send_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Send_c(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="pmpi_send_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Send_init
    subroutine PMPI_Send_init(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_send_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Send_init_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_send_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Sendrecv
    subroutine PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
        recvtype, source, recvtag, comm, status, ierror) bind(C, name="pmpi_sendrecv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Sendrecv_c(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, &
        recvtype, source, recvtag, comm, status, ierror) bind(C, name="pmpi_sendrecv_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Sendrecv_replace
    subroutine PMPI_Sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, &
        status, ierror) bind(C, name="pmpi_sendrecv_replace_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Sendrecv_replace_c(buf, count, datatype, dest, sendtag, source, recvtag, comm, &
        status, ierror) bind(C, name="pmpi_sendrecv_replace_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: sendtag
      integer, intent(in) :: source
      integer, intent(in) :: recvtag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Session_attach_buffer
    subroutine PMPI_Session_attach_buffer(session, buffer, size, ierror) bind(C, &
        name="pmpi_session_attach_buffer_cdesc_")
      import :: MPI_Session
      type(MPI_Session), intent(in) :: session
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Session_attach_buffer_c(session, buffer, size, ierror) bind(C, &
        name="pmpi_session_attach_buffer_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Session_detach_buffer
    subroutine PMPI_Session_detach_buffer_f08(session, buffer_addr, size, ierror)
      import :: C_PTR, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(C_PTR) :: buffer_addr
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_flush_buffer(session, ierror)
      import :: MPI_Session
      type(MPI_Session), intent(in) :: session
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_iflush_buffer(session, request, ierror)
      import :: MPI_Request, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ssend
    subroutine PMPI_Ssend(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="pmpi_ssend_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ssend_c(buf, count, datatype, dest, tag, comm, ierror) bind(C, &
        name="pmpi_ssend_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ssend_init
    subroutine PMPI_Ssend_init(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_ssend_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ssend_init_c(buf, count, datatype, dest, tag, comm, request, ierror) bind(C, &
        name="pmpi_ssend_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Start(request, ierror)
      import :: MPI_Request
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Startall(count, array_of_requests, ierror)
      import :: MPI_Request
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Status_get_error(status, error, ierror)
      import :: MPI_Status
      type(MPI_Status), intent(in) :: status
      integer :: error
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Status_get_source(status, source, ierror)
      import :: MPI_Status
      type(MPI_Status), intent(in) :: status
      integer :: source
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Status_get_tag(status, tag, ierror)
      import :: MPI_Status
      type(MPI_Status), intent(in) :: status
      integer :: tag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Status_set_error(status, error, ierror)
      import :: MPI_Status
      type(MPI_Status) :: status
      integer, intent(in) :: error
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Status_set_source(status, source, ierror)
      import :: MPI_Status
      type(MPI_Status) :: status
      integer, intent(in) :: source
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Status_set_tag(status, tag, ierror)
      import :: MPI_Status
      type(MPI_Status) :: status
      integer, intent(in) :: tag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Test(request, flag, status, ierror)
      import :: MPI_Request, MPI_Status
      type(MPI_Request) :: request
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Test_cancelled(status, flag, ierror)
      import :: MPI_Status
      type(MPI_Status), intent(in) :: status
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Testall(count, array_of_requests, flag, array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      logical :: flag
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Testany(count, array_of_requests, index, flag, status, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      integer :: index
      logical :: flag
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Testsome(incount, array_of_requests, outcount, array_of_indices, &
        array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: incount
      type(MPI_Request) :: array_of_requests(*)
      integer :: outcount
      integer :: array_of_indices(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Wait(request, status, ierror)
      import :: MPI_Request, MPI_Status
      type(MPI_Request) :: request
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Waitall(count, array_of_requests, array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Waitany(count, array_of_requests, index, status, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: count
      type(MPI_Request) :: array_of_requests(*)
      integer :: index
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Waitsome(incount, array_of_requests, outcount, array_of_indices, &
        array_of_statuses, ierror)
      import :: MPI_Request, MPI_Status
      integer, intent(in) :: incount
      type(MPI_Request) :: array_of_requests(*)
      integer :: outcount
      integer :: array_of_indices(*)
      type(MPI_Status) :: array_of_statuses(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Parrived(request, partition, flag, ierror)
      import :: MPI_Request
      type(MPI_Request), intent(in) :: request
      integer, intent(in) :: partition
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Pready(partition, request, ierror)
      import :: MPI_Request
      integer, intent(in) :: partition
      type(MPI_Request), intent(in) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Pready_list(length, array_of_partitions, request, ierror)
      import :: MPI_Request
      integer, intent(in) :: length
      integer, intent(in) :: array_of_partitions(*)
      type(MPI_Request), intent(in) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Pready_range(partition_low, partition_high, request, ierror)
      import :: MPI_Request
      integer, intent(in) :: partition_low
      integer, intent(in) :: partition_high
      type(MPI_Request), intent(in) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Precv_init(buf, partitions, count, datatype, dest, tag, comm, info, request, &
        ierror) bind(C, name="pmpi_precv_init_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: partitions
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Psend_init(buf, partitions, count, datatype, dest, tag, comm, info, request, &
        ierror) bind(C, name="pmpi_psend_init_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: partitions
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: dest
      integer, intent(in) :: tag
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Get_address(location, address, ierror) bind(C, name="pmpi_get_address_cdesc_")
      import :: MPI_ADDRESS_KIND
      type(*), dimension(..), asynchronous, target :: location
      integer(kind=MPI_ADDRESS_KIND) :: address
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Get_elements
    subroutine PMPI_Get_elements(status, datatype, count, ierror)
      import :: MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer :: count
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Get_elements_c(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Pack
    subroutine PMPI_Pack(inbuf, incount, datatype, outbuf, outsize, position, comm, ierror) bind(C, &
        name="pmpi_pack_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: inbuf
      integer, intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      type(*), dimension(..), asynchronous, target :: outbuf
      integer, intent(in) :: outsize
      integer :: position
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Pack_c(inbuf, incount, datatype, outbuf, outsize, position, comm, &
        ierror) bind(C, name="pmpi_pack_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: inbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      type(*), dimension(..), asynchronous, target :: outbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: outsize
      integer(kind=MPI_COUNT_KIND) :: position
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Pack_external
    subroutine PMPI_Pack_external(datarep, inbuf, incount, datatype, outbuf, outsize, position, &
        ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      !GCC$ attributes no_arg_check :: inbuf
      !DIR$ ignore_tkr inbuf
      type(*), dimension(*), asynchronous, target :: inbuf
      integer, intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      !GCC$ attributes no_arg_check :: outbuf
      !DIR$ ignore_tkr outbuf
      type(*), dimension(*), asynchronous, target :: outbuf
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: outsize
      integer(kind=MPI_ADDRESS_KIND) :: position
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Pack_external_c(datarep, inbuf, incount, datatype, outbuf, outsize, position, &
        ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      !GCC$ attributes no_arg_check :: inbuf
      !DIR$ ignore_tkr inbuf
      type(*), dimension(*), asynchronous, target :: inbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      !GCC$ attributes no_arg_check :: outbuf
      !DIR$ ignore_tkr outbuf
      type(*), dimension(*), asynchronous, target :: outbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: outsize
      integer(kind=MPI_COUNT_KIND) :: position
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Pack_external_size
    subroutine PMPI_Pack_external_size(datarep, incount, datatype, size, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      integer, intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Pack_external_size_c(datarep, incount, datatype, size, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      integer(kind=MPI_COUNT_KIND), intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Pack_size
    subroutine PMPI_Pack_size(incount, datatype, comm, size, ierror)
      import :: MPI_Comm, MPI_Datatype
      integer, intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Comm), intent(in) :: comm
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Pack_size_c(incount, datatype, comm, size, ierror)
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: incount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Comm), intent(in) :: comm
      integer(kind=MPI_COUNT_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_commit(datatype, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_contiguous
    subroutine PMPI_Type_contiguous(count, oldtype, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_contiguous_c(count, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_create_darray
    subroutine PMPI_Type_create_darray(size, rank, ndims, array_of_gsizes, array_of_distribs, &
        array_of_dargs, array_of_psizes, order, oldtype, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: size
      integer, intent(in) :: rank
      integer, intent(in) :: ndims
      integer, intent(in) :: array_of_gsizes(*)
      integer, intent(in) :: array_of_distribs(*)
      integer, intent(in) :: array_of_dargs(*)
      integer, intent(in) :: array_of_psizes(*)
      integer, intent(in) :: order
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_create_darray_c(size, rank, ndims, array_of_gsizes, array_of_distribs, &
        array_of_dargs, array_of_psizes, order, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer, intent(in) :: size
      integer, intent(in) :: rank
      integer, intent(in) :: ndims
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_gsizes(*)
      integer, intent(in) :: array_of_distribs(*)
      integer, intent(in) :: array_of_dargs(*)
      integer, intent(in) :: array_of_psizes(*)
      integer, intent(in) :: order
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_create_hindexed
    subroutine PMPI_Type_create_hindexed(count, array_of_blocklengths, array_of_displacements, &
        oldtype, newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_create_hindexed_c(count, array_of_blocklengths, array_of_displacements, &
        oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_create_hindexed_block
    subroutine PMPI_Type_create_hindexed_block(count, blocklength, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: blocklength
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_create_hindexed_block_c(count, blocklength, array_of_displacements, &
        oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: blocklength
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_create_hvector
    subroutine PMPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: blocklength
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: stride
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_create_hvector_c(count, blocklength, stride, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: blocklength
      integer(kind=MPI_COUNT_KIND), intent(in) :: stride
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_create_indexed_block
    subroutine PMPI_Type_create_indexed_block(count, blocklength, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: blocklength
      integer, intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_create_indexed_block_c(count, blocklength, array_of_displacements, &
        oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: blocklength
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_create_resized(oldtype, lb, extent, newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: oldtype
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: lb
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extent
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine PMPI_Type_create_resized_c(oldtype, lb, extent, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: oldtype
      integer(kind=MPI_COUNT_KIND), intent(in) :: lb
      integer(kind=MPI_COUNT_KIND), intent(in) :: extent
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_create_struct
    subroutine PMPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, &
        array_of_types, newtype, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: array_of_types(*)
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_create_struct_c(count, array_of_blocklengths, array_of_displacements, &
        array_of_types, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: array_of_types(*)
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_create_subarray
    subroutine PMPI_Type_create_subarray(ndims, array_of_sizes, array_of_subsizes, array_of_starts, &
        order, oldtype, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: ndims
      integer, intent(in) :: array_of_sizes(*)
      integer, intent(in) :: array_of_subsizes(*)
      integer, intent(in) :: array_of_starts(*)
      integer, intent(in) :: order
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_create_subarray_c(ndims, array_of_sizes, array_of_subsizes, &
        array_of_starts, order, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer, intent(in) :: ndims
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_sizes(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_subsizes(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_starts(*)
      integer, intent(in) :: order
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_dup(oldtype, newtype, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_free(datatype, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_get_contents
    subroutine PMPI_Type_get_contents(datatype, max_integers, max_addresses, max_datatypes, &
        array_of_integers, array_of_addresses, array_of_datatypes, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: max_integers
      integer, intent(in) :: max_addresses
      integer, intent(in) :: max_datatypes
      integer :: array_of_integers(*)
      integer(kind=MPI_ADDRESS_KIND) :: array_of_addresses(*)
      type(MPI_Datatype) :: array_of_datatypes(*)
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_get_contents_c(datatype, max_integers, max_addresses, max_large_counts, &
        max_datatypes, array_of_integers, array_of_addresses, array_of_large_counts, &
        array_of_datatypes, ierror)
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: max_integers
      integer(kind=MPI_COUNT_KIND), intent(in) :: max_addresses
      integer(kind=MPI_COUNT_KIND), intent(in) :: max_large_counts
      integer(kind=MPI_COUNT_KIND), intent(in) :: max_datatypes
      integer :: array_of_integers(*)
      integer(kind=MPI_ADDRESS_KIND) :: array_of_addresses(*)
      integer(kind=MPI_COUNT_KIND) :: array_of_large_counts(*)
      type(MPI_Datatype) :: array_of_datatypes(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_get_envelope
    subroutine PMPI_Type_get_envelope(datatype, num_integers, num_addresses, num_datatypes, &
        combiner, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer :: num_integers
      integer :: num_addresses
      integer :: num_datatypes
      integer :: combiner
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_get_envelope_c(datatype, num_integers, num_addresses, num_large_counts, &
        num_datatypes, combiner, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: num_integers
      integer(kind=MPI_COUNT_KIND) :: num_addresses
      integer(kind=MPI_COUNT_KIND) :: num_large_counts
      integer(kind=MPI_COUNT_KIND) :: num_datatypes
      integer :: combiner
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_get_extent(datatype, lb, extent, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: lb
      integer(kind=MPI_ADDRESS_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine PMPI_Type_get_extent_c(datatype, lb, extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: lb
      integer(kind=MPI_COUNT_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_get_true_extent(datatype, true_lb, true_extent, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: true_lb
      integer(kind=MPI_ADDRESS_KIND) :: true_extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine PMPI_Type_get_true_extent_c(datatype, true_lb, true_extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: true_lb
      integer(kind=MPI_COUNT_KIND) :: true_extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_get_value_index(value_type, index_type, pair_type, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: value_type
      type(MPI_Datatype), intent(in) :: index_type
      type(MPI_Datatype) :: pair_type
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_indexed
    subroutine PMPI_Type_indexed(count, array_of_blocklengths, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: array_of_blocklengths(*)
      integer, intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_indexed_c(count, array_of_blocklengths, array_of_displacements, oldtype, &
        newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_blocklengths(*)
      integer(kind=MPI_COUNT_KIND), intent(in) :: array_of_displacements(*)
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_size
    subroutine PMPI_Type_size(datatype, size, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_size_c(datatype, size, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Type_vector
    subroutine PMPI_Type_vector(count, blocklength, stride, oldtype, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: count
      integer, intent(in) :: blocklength
      integer, intent(in) :: stride
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Type_vector_c(count, blocklength, stride, oldtype, newtype, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer(kind=MPI_COUNT_KIND), intent(in) :: blocklength
      integer(kind=MPI_COUNT_KIND), intent(in) :: stride
      type(MPI_Datatype), intent(in) :: oldtype
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Unpack
    subroutine PMPI_Unpack(inbuf, insize, position, outbuf, outcount, datatype, comm, &
        ierror) bind(C, name="pmpi_unpack_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: inbuf
      integer, intent(in) :: insize
      integer :: position
      type(*), dimension(..), asynchronous, target :: outbuf
      integer, intent(in) :: outcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Unpack_c(inbuf, insize, position, outbuf, outcount, datatype, comm, &
        ierror) bind(C, name="pmpi_unpack_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: inbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: insize
      integer(kind=MPI_COUNT_KIND) :: position
      type(*), dimension(..), asynchronous, target :: outbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: outcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Unpack_external
    subroutine PMPI_Unpack_external(datarep, inbuf, insize, position, outbuf, outcount, datatype, &
        ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      !GCC$ attributes no_arg_check :: inbuf
      !DIR$ ignore_tkr inbuf
      type(*), dimension(*), asynchronous, target :: inbuf
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: insize
      integer(kind=MPI_ADDRESS_KIND) :: position
      !GCC$ attributes no_arg_check :: outbuf
      !DIR$ ignore_tkr outbuf
      type(*), dimension(*), asynchronous, target :: outbuf
      integer, intent(in) :: outcount
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Unpack_external_c(datarep, inbuf, insize, position, outbuf, outcount, datatype, &
        ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      character(len=*), intent(in) :: datarep
      !GCC$ attributes no_arg_check :: inbuf
      !DIR$ ignore_tkr inbuf
      type(*), dimension(*), asynchronous, target :: inbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: insize
      integer(kind=MPI_COUNT_KIND) :: position
      !GCC$ attributes no_arg_check :: outbuf
      !DIR$ ignore_tkr outbuf
      type(*), dimension(*), asynchronous, target :: outbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: outcount
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Allgather
    subroutine PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        ierror) bind(C, name="pmpi_allgather_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        ierror) bind(C, name="pmpi_allgather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Allgather_init
    subroutine PMPI_Allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, info, request, ierror) bind(C, name="pmpi_allgather_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Allgather_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, info, request, ierror) bind(C, name="pmpi_allgather_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Allgatherv
    subroutine PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        comm, ierror) bind(C, name="pmpi_allgatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, ierror) bind(C, name="pmpi_allgatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Allgatherv_init
    subroutine PMPI_Allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, info, request, ierror) bind(C, name="pmpi_allgatherv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Allgatherv_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, info, request, ierror) bind(C, name="pmpi_allgatherv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Allreduce
    subroutine PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="pmpi_allreduce_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Allreduce_c(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="pmpi_allreduce_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Allreduce_init
    subroutine PMPI_Allreduce_init(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="pmpi_allreduce_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Allreduce_init_c(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="pmpi_allreduce_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Alltoall
    subroutine PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        ierror) bind(C, name="pmpi_alltoall_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        ierror) bind(C, name="pmpi_alltoall_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Alltoall_init
    subroutine PMPI_Alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        info, request, ierror) bind(C, name="pmpi_alltoall_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Alltoall_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, info, request, ierror) bind(C, name="pmpi_alltoall_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Alltoallv
    subroutine PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
        recvtype, comm, ierror) bind(C, name="pmpi_alltoallv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, ierror) bind(C, name="pmpi_alltoallv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Alltoallv_init
    subroutine PMPI_Alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, info, request, ierror) bind(C, name="pmpi_alltoallv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Alltoallv_init_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, info, request, ierror) bind(C, name="pmpi_alltoallv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Alltoallw
    subroutine PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, ierror) bind(C, name="pmpi_alltoallw_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, ierror) bind(C, name="pmpi_alltoallw_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Alltoallw_init
    subroutine PMPI_Alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, info, request, ierror) bind(C, name="pmpi_alltoallw_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Alltoallw_init_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, info, request, ierror) bind(C, &
        name="pmpi_alltoallw_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Barrier(comm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Barrier_init(comm, info, request, ierror)
      import :: MPI_Comm, MPI_Info, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Bcast
    subroutine PMPI_Bcast(buffer, count, datatype, root, comm, ierror) bind(C, &
        name="pmpi_bcast_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Bcast_c(buffer, count, datatype, root, comm, ierror) bind(C, &
        name="pmpi_bcast_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Bcast_init
    subroutine PMPI_Bcast_init(buffer, count, datatype, root, comm, info, request, ierror) bind(C, &
        name="pmpi_bcast_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Bcast_init_c(buffer, count, datatype, root, comm, info, request, &
        ierror) bind(C, name="pmpi_bcast_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Exscan
    subroutine PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="pmpi_exscan_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Exscan_c(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="pmpi_exscan_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Exscan_init
    subroutine PMPI_Exscan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="pmpi_exscan_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Exscan_init_c(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="pmpi_exscan_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Gather
    subroutine PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
        ierror) bind(C, name="pmpi_gather_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Gather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, ierror) bind(C, name="pmpi_gather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Gather_init
    subroutine PMPI_Gather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, info, request, ierror) bind(C, name="pmpi_gather_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Gather_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, info, request, ierror) bind(C, name="pmpi_gather_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Gatherv
    subroutine PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        root, comm, ierror) bind(C, name="pmpi_gatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Gatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        root, comm, ierror) bind(C, name="pmpi_gatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Gatherv_init
    subroutine PMPI_Gatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, root, comm, info, request, ierror) bind(C, name="pmpi_gatherv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Gatherv_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, root, comm, info, request, ierror) bind(C, name="pmpi_gatherv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Iallgather
    subroutine PMPI_Iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        request, ierror) bind(C, name="pmpi_iallgather_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Iallgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        request, ierror) bind(C, name="pmpi_iallgather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Iallgatherv
    subroutine PMPI_Iallgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, request, ierror) bind(C, name="pmpi_iallgatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Iallgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, request, ierror) bind(C, name="pmpi_iallgatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Iallreduce
    subroutine PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request, &
        ierror) bind(C, name="pmpi_iallreduce_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Iallreduce_c(sendbuf, recvbuf, count, datatype, op, comm, request, &
        ierror) bind(C, name="pmpi_iallreduce_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ialltoall
    subroutine PMPI_Ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        request, ierror) bind(C, name="pmpi_ialltoall_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ialltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
        request, ierror) bind(C, name="pmpi_ialltoall_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ialltoallv
    subroutine PMPI_Ialltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, request, ierror) bind(C, name="pmpi_ialltoallv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ialltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, request, ierror) bind(C, name="pmpi_ialltoallv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ialltoallw
    subroutine PMPI_Ialltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, request, ierror) bind(C, name="pmpi_ialltoallw_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ialltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, &
        rdispls, recvtypes, comm, request, ierror) bind(C, name="pmpi_ialltoallw_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Ibarrier(comm, request, ierror)
      import :: MPI_Comm, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ibcast
    subroutine PMPI_Ibcast(buffer, count, datatype, root, comm, request, ierror) bind(C, &
        name="pmpi_ibcast_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buffer
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ibcast_c(buffer, count, datatype, root, comm, request, ierror) bind(C, &
        name="pmpi_ibcast_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: buffer
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Iexscan
    subroutine PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="pmpi_iexscan_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Iexscan_c(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="pmpi_iexscan_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Igather
    subroutine PMPI_Igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
        request, ierror) bind(C, name="pmpi_igather_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Igather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, request, ierror) bind(C, name="pmpi_igather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Igatherv
    subroutine PMPI_Igatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        root, comm, request, ierror) bind(C, name="pmpi_igatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Igatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, &
        root, comm, request, ierror) bind(C, name="pmpi_igatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ireduce
    subroutine PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request, &
        ierror) bind(C, name="pmpi_ireduce_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ireduce_c(sendbuf, recvbuf, count, datatype, op, root, comm, request, &
        ierror) bind(C, name="pmpi_ireduce_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ireduce_scatter
    subroutine PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, &
        ierror) bind(C, name="pmpi_ireduce_scatter_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ireduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, &
        ierror) bind(C, name="pmpi_ireduce_scatter_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ireduce_scatter_block
    subroutine PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, request, &
        ierror) bind(C, name="pmpi_ireduce_scatter_block_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ireduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        request, ierror) bind(C, name="pmpi_ireduce_scatter_block_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Iscan
    subroutine PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="pmpi_iscan_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Iscan_c(sendbuf, recvbuf, count, datatype, op, comm, request, ierror) bind(C, &
        name="pmpi_iscan_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Iscatter
    subroutine PMPI_Iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, request, ierror) bind(C, name="pmpi_iscatter_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Iscatter_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, request, ierror) bind(C, name="pmpi_iscatter_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Iscatterv
    subroutine PMPI_Iscatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, &
        root, comm, request, ierror) bind(C, name="pmpi_iscatterv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Iscatterv_c(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, &
        recvtype, root, comm, request, ierror) bind(C, name="pmpi_iscatterv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Op_commutative(op, commute, ierror)
      import :: MPI_Op
      type(MPI_Op), intent(in) :: op
      logical :: commute
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Op_create(user_fn, commute, op, ierror)
      import :: MPI_Op, MPI_User_function
      procedure(MPI_User_function) :: user_fn
      logical, intent(in) :: commute
      type(MPI_Op) :: op
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine PMPI_Op_create_c(user_fn, commute, op, ierror)
      import :: MPI_Op, MPI_User_function_c
      procedure(MPI_User_function_c) :: user_fn
      logical, intent(in) :: commute
      type(MPI_Op) :: op
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Op_free(op, ierror)
      import :: MPI_Op
      type(MPI_Op) :: op
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Reduce
    subroutine PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm, ierror) bind(C, &
        name="pmpi_reduce_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Reduce_c(sendbuf, recvbuf, count, datatype, op, root, comm, ierror) bind(C, &
        name="pmpi_reduce_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Reduce_init
    subroutine PMPI_Reduce_init(sendbuf, recvbuf, count, datatype, op, root, comm, info, request, &
        ierror) bind(C, name="pmpi_reduce_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Reduce_init_c(sendbuf, recvbuf, count, datatype, op, root, comm, info, request, &
        ierror) bind(C, name="pmpi_reduce_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Reduce_local
    subroutine PMPI_Reduce_local(inbuf, inoutbuf, count, datatype, op, ierror) bind(C, &
        name="pmpi_reduce_local_cdesc_")
      import :: MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: inbuf
      type(*), dimension(..), asynchronous, target :: inoutbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Reduce_local_c(inbuf, inoutbuf, count, datatype, op, ierror) bind(C, &
        name="pmpi_reduce_local_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: inbuf
      type(*), dimension(..), asynchronous, target :: inoutbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Reduce_scatter
    subroutine PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, &
        ierror) bind(C, name="pmpi_reduce_scatter_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Reduce_scatter_c(sendbuf, recvbuf, recvcounts, datatype, op, comm, &
        ierror) bind(C, name="pmpi_reduce_scatter_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Reduce_scatter_block
    subroutine PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        ierror) bind(C, name="pmpi_reduce_scatter_block_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Reduce_scatter_block_c(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        ierror) bind(C, name="pmpi_reduce_scatter_block_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Reduce_scatter_block_init
    subroutine PMPI_Reduce_scatter_block_init(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        info, request, ierror) bind(C, name="pmpi_reduce_scatter_block_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Reduce_scatter_block_init_c(sendbuf, recvbuf, recvcount, datatype, op, comm, &
        info, request, ierror) bind(C, name="pmpi_reduce_scatter_block_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Reduce_scatter_init
    subroutine PMPI_Reduce_scatter_init(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, &
        request, ierror) bind(C, name="pmpi_reduce_scatter_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Reduce_scatter_init_c(sendbuf, recvbuf, recvcounts, datatype, op, comm, info, &
        request, ierror) bind(C, name="pmpi_reduce_scatter_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Scan
    subroutine PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="pmpi_scan_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Scan_c(sendbuf, recvbuf, count, datatype, op, comm, ierror) bind(C, &
        name="pmpi_scan_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Scan_init
    subroutine PMPI_Scan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="pmpi_scan_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Scan_init_c(sendbuf, recvbuf, count, datatype, op, comm, info, request, &
        ierror) bind(C, name="pmpi_scan_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Scatter
    subroutine PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, &
        ierror) bind(C, name="pmpi_scatter_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Scatter_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, ierror) bind(C, name="pmpi_scatter_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Scatter_init
    subroutine PMPI_Scatter_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
        comm, info, request, ierror) bind(C, name="pmpi_scatter_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Scatter_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        root, comm, info, request, ierror) bind(C, name="pmpi_scatter_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Scatterv
    subroutine PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, &
        root, comm, ierror) bind(C, name="pmpi_scatterv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Scatterv_c(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, &
        root, comm, ierror) bind(C, name="pmpi_scatterv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Scatterv_init
    subroutine PMPI_Scatterv_init(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, &
        recvtype, root, comm, info, request, ierror) bind(C, name="pmpi_scatterv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Scatterv_init_c(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, &
        recvtype, root, comm, info, request, ierror) bind(C, name="pmpi_scatterv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_compare(comm1, comm2, result, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm1
      type(MPI_Comm), intent(in) :: comm2
      integer :: result
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_create(comm, group, newcomm, ierror)
      import :: MPI_Comm, MPI_Group
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Group), intent(in) :: group
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_create_from_group(group, stringtag, info, errhandler, newcomm, ierror)
      import :: MPI_Comm, MPI_Errhandler, MPI_Group, MPI_Info
      type(MPI_Group), intent(in) :: group
      character(len=*), intent(in) :: stringtag
      type(MPI_Info), intent(in) :: info
      type(MPI_Errhandler), intent(in) :: errhandler
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_create_group(comm, group, tag, newcomm, ierror)
      import :: MPI_Comm, MPI_Group
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: tag
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_create_keyval(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, &
        extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function
      procedure(MPI_Comm_copy_attr_function) :: comm_copy_attr_fn
      procedure(MPI_Comm_delete_attr_function) :: comm_delete_attr_fn
      integer :: comm_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_delete_attr(comm, comm_keyval, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: comm_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_dup(comm, newcomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_dup_with_info(comm, info, newcomm, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_free(comm, ierror)
      import :: MPI_Comm
      type(MPI_Comm) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_free_keyval(comm_keyval, ierror)
      integer :: comm_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_get_attr(comm, comm_keyval, attribute_val, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: comm_keyval
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_get_info(comm, info_used, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info) :: info_used
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_get_name(comm, comm_name, resultlen, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      character(len=*) :: comm_name
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_group(comm, group, ierror)
      import :: MPI_Comm, MPI_Group
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_idup(comm, newcomm, request, ierror)
      import :: MPI_Comm, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: newcomm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_idup_with_info(comm, info, newcomm, request, ierror)
      import :: MPI_Comm, MPI_Info, MPI_Request
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm) :: newcomm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_rank(comm, rank, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: rank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_remote_group(comm, group, ierror)
      import :: MPI_Comm, MPI_Group
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_remote_size(comm, size, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_set_attr(comm, comm_keyval, attribute_val, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: comm_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: attribute_val
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_set_info(comm, info, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_set_name(comm, comm_name, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      character(len=*), intent(in) :: comm_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_size(comm, size, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_split(comm, color, key, newcomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: color
      integer, intent(in) :: key
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_split_type(comm, split_type, key, info, newcomm, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: split_type
      integer, intent(in) :: key
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_test_inter(comm, flag, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_compare(group1, group2, result, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      type(MPI_Group), intent(in) :: group2
      integer :: result
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_difference(group1, group2, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      type(MPI_Group), intent(in) :: group2
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_excl(group, n, ranks, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: n
      integer, intent(in) :: ranks(*)
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_free(group, ierror)
      import :: MPI_Group
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_from_session_pset(session, pset_name, newgroup, ierror)
      import :: MPI_Group, MPI_Session
      type(MPI_Session), intent(in) :: session
      character(len=*), intent(in) :: pset_name
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_incl(group, n, ranks, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: n
      integer, intent(in) :: ranks(*)
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_intersection(group1, group2, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      type(MPI_Group), intent(in) :: group2
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_range_excl(group, n, ranges, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: n
      integer, intent(in) :: ranges(3, *)
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_range_incl(group, n, ranges, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: n
      integer, intent(in) :: ranges(3, *)
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_rank(group, rank, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer :: rank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_size(group, size, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group
      integer :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_translate_ranks(group1, n, ranks1, group2, ranks2, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      integer, intent(in) :: n
      integer, intent(in) :: ranks1(*)
      type(MPI_Group), intent(in) :: group2
      integer :: ranks2(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Group_union(group1, group2, newgroup, ierror)
      import :: MPI_Group
      type(MPI_Group), intent(in) :: group1
      type(MPI_Group), intent(in) :: group2
      type(MPI_Group) :: newgroup
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, &
        newintercomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: local_comm
      integer, intent(in) :: local_leader
      type(MPI_Comm), intent(in) :: peer_comm
      integer, intent(in) :: remote_leader
      integer, intent(in) :: tag
      type(MPI_Comm) :: newintercomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Intercomm_create_from_groups(local_group, local_leader, remote_group, &
        remote_leader, stringtag, info, errhandler, newintercomm, ierror)
      import :: MPI_Comm, MPI_Errhandler, MPI_Group, MPI_Info
      type(MPI_Group), intent(in) :: local_group
      integer, intent(in) :: local_leader
      type(MPI_Group), intent(in) :: remote_group
      integer, intent(in) :: remote_leader
      character(len=*), intent(in) :: stringtag
      type(MPI_Info), intent(in) :: info
      type(MPI_Errhandler), intent(in) :: errhandler
      type(MPI_Comm) :: newintercomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Intercomm_merge(intercomm, high, newintracomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: intercomm
      logical, intent(in) :: high
      type(MPI_Comm) :: newintracomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_create_keyval(type_copy_attr_fn, type_delete_attr_fn, type_keyval, &
        extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function
      procedure(MPI_Type_copy_attr_function) :: type_copy_attr_fn
      procedure(MPI_Type_delete_attr_function) :: type_delete_attr_fn
      integer :: type_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_delete_attr(datatype, type_keyval, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: type_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_free_keyval(type_keyval, ierror)
      integer :: type_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_get_attr(datatype, type_keyval, attribute_val, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: type_keyval
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_get_name(datatype, type_name, resultlen, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      character(len=*) :: type_name
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_set_attr(datatype, type_keyval, attribute_val, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: type_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: attribute_val
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_set_name(datatype, type_name, ierror)
      import :: MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      character(len=*), intent(in) :: type_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_create_keyval(win_copy_attr_fn, win_delete_attr_fn, win_keyval, &
        extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function
      procedure(MPI_Win_copy_attr_function) :: win_copy_attr_fn
      procedure(MPI_Win_delete_attr_function) :: win_delete_attr_fn
      integer :: win_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_delete_attr(win, win_keyval, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: win_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_free_keyval(win_keyval, ierror)
      integer :: win_keyval
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_get_attr(win, win_keyval, attribute_val, flag, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: win_keyval
      integer(kind=MPI_ADDRESS_KIND) :: attribute_val
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_get_name(win, win_name, resultlen, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      character(len=*) :: win_name
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_set_attr(win, win_keyval, attribute_val, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: win_keyval
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: attribute_val
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_set_name(win, win_name, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      character(len=*), intent(in) :: win_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cart_coords(comm, rank, maxdims, coords, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: rank
      integer, intent(in) :: maxdims
      integer :: coords(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm_old
      integer, intent(in) :: ndims
      integer, intent(in) :: dims(*)
      logical, intent(in) :: periods(*)
      logical, intent(in) :: reorder
      type(MPI_Comm) :: comm_cart
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cart_get(comm, maxdims, dims, periods, coords, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: maxdims
      integer :: dims(*)
      logical :: periods(*)
      integer :: coords(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cart_map(comm, ndims, dims, periods, newrank, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: ndims
      integer, intent(in) :: dims(*)
      logical, intent(in) :: periods(*)
      integer :: newrank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cart_rank(comm, coords, rank, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: coords(*)
      integer :: rank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cart_shift(comm, direction, disp, rank_source, rank_dest, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: direction
      integer, intent(in) :: disp
      integer :: rank_source
      integer :: rank_dest
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cart_sub(comm, remain_dims, newcomm, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      logical, intent(in) :: remain_dims(*)
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Cartdim_get(comm, ndims, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: ndims
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Dims_create(nnodes, ndims, dims, ierror)
      integer, intent(in) :: nnodes
      integer, intent(in) :: ndims
      integer :: dims(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info, &
        reorder, comm_dist_graph, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm_old
      integer, intent(in) :: n
      integer, intent(in) :: sources(*)
      integer, intent(in) :: degrees(*)
      integer, intent(in) :: destinations(*)
      integer, intent(in) :: weights(*)
      type(MPI_Info), intent(in) :: info
      logical, intent(in) :: reorder
      type(MPI_Comm) :: comm_dist_graph
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, &
        outdegree, destinations, destweights, info, reorder, comm_dist_graph, ierror)
      import :: MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: comm_old
      integer, intent(in) :: indegree
      integer, intent(in) :: sources(*)
      integer, intent(in) :: sourceweights(*)
      integer, intent(in) :: outdegree
      integer, intent(in) :: destinations(*)
      integer, intent(in) :: destweights(*)
      type(MPI_Info), intent(in) :: info
      logical, intent(in) :: reorder
      type(MPI_Comm) :: comm_dist_graph
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Dist_graph_neighbors(comm, maxindegree, sources, sourceweights, maxoutdegree, &
        destinations, destweights, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: maxindegree
      integer :: sources(*)
      integer :: sourceweights(*)
      integer, intent(in) :: maxoutdegree
      integer :: destinations(*)
      integer :: destweights(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Dist_graph_neighbors_count(comm, indegree, outdegree, weighted, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: indegree
      integer :: outdegree
      logical :: weighted
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Graph_create(comm_old, nnodes, index, edges, reorder, comm_graph, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm_old
      integer, intent(in) :: nnodes
      integer, intent(in) :: index(*)
      integer, intent(in) :: edges(*)
      logical, intent(in) :: reorder
      type(MPI_Comm) :: comm_graph
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Graph_get(comm, maxindex, maxedges, index, edges, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: maxindex
      integer, intent(in) :: maxedges
      integer :: index(*)
      integer :: edges(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Graph_map(comm, nnodes, index, edges, newrank, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: nnodes
      integer, intent(in) :: index(*)
      integer, intent(in) :: edges(*)
      integer :: newrank
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Graph_neighbors(comm, rank, maxneighbors, neighbors, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: rank
      integer, intent(in) :: maxneighbors
      integer :: neighbors(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Graph_neighbors_count(comm, rank, nneighbors, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: rank
      integer :: nneighbors
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Graphdims_get(comm, nnodes, nedges, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: nnodes
      integer :: nedges
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ineighbor_allgather
    subroutine PMPI_Ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, request, ierror) bind(C, name="pmpi_ineighbor_allgather_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ineighbor_allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, request, ierror) bind(C, name="pmpi_ineighbor_allgather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ineighbor_allgatherv
    subroutine PMPI_Ineighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, request, ierror) bind(C, name="pmpi_ineighbor_allgatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ineighbor_allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
        displs, recvtype, comm, request, ierror) bind(C, name="pmpi_ineighbor_allgatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ineighbor_alltoall
    subroutine PMPI_Ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, request, ierror) bind(C, name="pmpi_ineighbor_alltoall_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ineighbor_alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, request, ierror) bind(C, name="pmpi_ineighbor_alltoall_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ineighbor_alltoallv
    subroutine PMPI_Ineighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, request, ierror) bind(C, &
        name="pmpi_ineighbor_alltoallv_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ineighbor_alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, request, ierror) bind(C, &
        name="pmpi_ineighbor_alltoallv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Ineighbor_alltoallw
    subroutine PMPI_Ineighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, request, ierror) bind(C, &
        name="pmpi_ineighbor_alltoallw_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Ineighbor_alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, request, ierror) bind(C, &
        name="pmpi_ineighbor_alltoallw_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_allgather
    subroutine PMPI_Neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, ierror) bind(C, name="pmpi_neighbor_allgather_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, ierror) bind(C, name="pmpi_neighbor_allgather_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_allgather_init
    subroutine PMPI_Neighbor_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, info, request, ierror) bind(C, name="pmpi_neighbor_allgather_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_allgather_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, info, request, ierror) bind(C, name="pmpi_neighbor_allgather_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_allgatherv
    subroutine PMPI_Neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        recvtype, comm, ierror) bind(C, name="pmpi_neighbor_allgatherv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
        displs, recvtype, comm, ierror) bind(C, name="pmpi_neighbor_allgatherv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_allgatherv_init
    subroutine PMPI_Neighbor_allgatherv_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
        displs, recvtype, comm, info, request, ierror) bind(C, &
        name="pmpi_neighbor_allgatherv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_allgatherv_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
        displs, recvtype, comm, info, request, ierror) bind(C, &
        name="pmpi_neighbor_allgatherv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: displs(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_alltoall
    subroutine PMPI_Neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, ierror) bind(C, name="pmpi_neighbor_alltoall_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        comm, ierror) bind(C, name="pmpi_neighbor_alltoall_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_alltoall_init
    subroutine PMPI_Neighbor_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, info, request, ierror) bind(C, name="pmpi_neighbor_alltoall_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_alltoall_init_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
        recvtype, comm, info, request, ierror) bind(C, name="pmpi_neighbor_alltoall_init_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcount
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcount
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_alltoallv
    subroutine PMPI_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        rdispls, recvtype, comm, ierror) bind(C, name="pmpi_neighbor_alltoallv_cdesc_")
      import :: MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, ierror) bind(C, &
        name="pmpi_neighbor_alltoallv_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_alltoallv_init
    subroutine PMPI_Neighbor_alltoallv_init(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, info, request, ierror) bind(C, &
        name="pmpi_neighbor_alltoallv_init_cdesc_")
      import :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer, intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer, intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_alltoallv_init_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
        recvcounts, rdispls, recvtype, comm, info, request, ierror) bind(C, &
        name="pmpi_neighbor_alltoallv_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtype
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtype
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_alltoallw
    subroutine PMPI_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, ierror) bind(C, name="pmpi_neighbor_alltoallw_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_alltoallw_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, ierror) bind(C, &
        name="pmpi_neighbor_alltoallw_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Neighbor_alltoallw_init
    subroutine PMPI_Neighbor_alltoallw_init(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, info, request, ierror) bind(C, &
        name="pmpi_neighbor_alltoallw_init_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer, intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer, intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Neighbor_alltoallw_init_c(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
        recvcounts, rdispls, recvtypes, comm, info, request, ierror) bind(C, &
        name="pmpi_neighbor_alltoallw_init_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Comm, MPI_Datatype, MPI_Info, MPI_Request
      type(*), dimension(..), asynchronous, target :: sendbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: sendcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: sdispls(*)
      type(MPI_Datatype), intent(in) :: sendtypes(*)
      type(*), dimension(..), asynchronous, target :: recvbuf
      integer(kind=MPI_COUNT_KIND), intent(in) :: recvcounts(*)
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: rdispls(*)
      type(MPI_Datatype), intent(in) :: recvtypes(*)
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Info), intent(in) :: info
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Topo_test(comm, status, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Add_error_class(errorclass, ierror)
      integer :: errorclass
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Add_error_code(errorclass, errorcode, ierror)
      integer, intent(in) :: errorclass
      integer :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Add_error_string(errorcode, string, ierror)
      integer, intent(in) :: errorcode
      character(len=*), intent(in) :: string
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Alloc_mem(size, info, baseptr, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Info
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      type(MPI_Info), intent(in) :: info
      type(C_PTR) :: baseptr
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_call_errhandler(comm, errorcode, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_create_errhandler(comm_errhandler_fn, errhandler, ierror)
      import :: MPI_Comm_errhandler_function, MPI_Errhandler
      procedure(MPI_Comm_errhandler_function) :: comm_errhandler_fn
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_get_errhandler(comm, errhandler, ierror)
      import :: MPI_Comm, MPI_Errhandler
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_set_errhandler(comm, errhandler, ierror)
      import :: MPI_Comm, MPI_Errhandler
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Errhandler), intent(in) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Errhandler_free(errhandler, ierror)
      import :: MPI_Errhandler
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Error_class(errorcode, errorclass, ierror)
      integer, intent(in) :: errorcode
      integer :: errorclass
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Error_string(errorcode, string, resultlen, ierror)
      integer, intent(in) :: errorcode
      character(len=*) :: string
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_call_errhandler(fh, errorcode, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_create_errhandler(file_errhandler_fn, errhandler, ierror)
      import :: MPI_Errhandler, MPI_File_errhandler_function
      procedure(MPI_File_errhandler_function) :: file_errhandler_fn
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_errhandler(file, errhandler, ierror)
      import :: MPI_Errhandler, MPI_File
      type(MPI_File), intent(in) :: file
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_set_errhandler(file, errhandler, ierror)
      import :: MPI_Errhandler, MPI_File
      type(MPI_File), intent(in) :: file
      type(MPI_Errhandler), intent(in) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Free_mem(base, ierror) bind(C, name="pmpi_free_mem_cdesc_")
      type(*), dimension(..), asynchronous, target :: base
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Get_library_version(version, resultlen, ierror)
      character(len=*) :: version
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Get_processor_name(name, resultlen, ierror)
      character(len=*) :: name
      integer :: resultlen
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Get_version(version, subversion, ierror)
      integer :: version
      integer :: subversion
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Remove_error_class(errorclass, ierror)
      integer, intent(in) :: errorclass
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Remove_error_code(errorcode, ierror)
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Remove_error_string(errorcode, ierror)
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_call_errhandler(session, errorcode, ierror)
      import :: MPI_Session
      type(MPI_Session), intent(in) :: session
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_create_errhandler(session_errhandler_fn, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Session_errhandler_function
      procedure(MPI_Session_errhandler_function) :: session_errhandler_fn
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_get_errhandler(session, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_set_errhandler(session, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Errhandler), intent(in) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_call_errhandler(win, errorcode, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_create_errhandler(win_errhandler_fn, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Win_errhandler_function
      procedure(MPI_Win_errhandler_function) :: win_errhandler_fn
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_get_errhandler(win, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Errhandler) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_set_errhandler(win, errhandler, ierror)
      import :: MPI_Errhandler, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Errhandler), intent(in) :: errhandler
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_create(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_create_env(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_delete(info, key, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_dup(info, newinfo, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      type(MPI_Info) :: newinfo
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_free(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_get_nkeys(info, nkeys, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      integer :: nkeys
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_get_nthkey(info, n, key, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: n
      character(len=*) :: key
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_get_string(info, key, buflen, value, flag, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer :: buflen
      character(len=*) :: value
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_set(info, key, value, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      character(len=*), intent(in) :: value
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Abort(comm, errorcode, ierror)
      import :: MPI_Comm
      type(MPI_Comm), intent(in) :: comm
      integer, intent(in) :: errorcode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Close_port(port_name, ierror)
      character(len=*), intent(in) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_accept(port_name, info, root, comm, newcomm, ierror)
      import :: MPI_Comm, MPI_Info
      character(len=*), intent(in) :: port_name
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_connect(port_name, info, root, comm, newcomm, ierror)
      import :: MPI_Comm, MPI_Info
      character(len=*), intent(in) :: port_name
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: newcomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_disconnect(comm, ierror)
      import :: MPI_Comm
      type(MPI_Comm) :: comm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_get_parent(parent, ierror)
      import :: MPI_Comm
      type(MPI_Comm) :: parent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_join(fd, intercomm, ierror)
      import :: MPI_Comm
      integer, intent(in) :: fd
      type(MPI_Comm) :: intercomm
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, &
        array_of_errcodes, ierror)
      import :: MPI_Comm, MPI_Info
      character(len=*), intent(in) :: command
      character(len=*), intent(in) :: argv(*)
      integer, intent(in) :: maxprocs
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: intercomm
      integer :: array_of_errcodes(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, &
        array_of_info, root, comm, intercomm, array_of_errcodes, ierror)
      import :: MPI_Comm, MPI_Info
      integer, intent(in) :: count
      character(len=*), intent(in) :: array_of_commands(*)
      character(len=*), intent(in) :: array_of_argv(count, *)
      integer, intent(in) :: array_of_maxprocs(*)
      type(MPI_Info), intent(in) :: array_of_info(*)
      integer, intent(in) :: root
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Comm) :: intercomm
      integer :: array_of_errcodes(*)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Finalize(ierror)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Finalized(flag, ierror)
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Get_hw_resource_info(hw_info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: hw_info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Init(ierror)
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Init_thread(required, provided, ierror)
      integer, intent(in) :: required
      integer :: provided
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Initialized(flag, ierror)
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Is_thread_main(flag, ierror)
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Lookup_name(service_name, info, port_name, ierror)
      import :: MPI_Info
      character(len=*), intent(in) :: service_name
      type(MPI_Info), intent(in) :: info
      character(len=*) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Open_port(info, port_name, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Publish_name(service_name, info, port_name, ierror)
      import :: MPI_Info
      character(len=*), intent(in) :: service_name
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Query_thread(provided, ierror)
      integer :: provided
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_finalize(session, ierror)
      import :: MPI_Session
      type(MPI_Session) :: session
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_get_info(session, info_used, ierror)
      import :: MPI_Info, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Info) :: info_used
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_get_nth_pset(session, info, n, pset_len, pset_name, ierror)
      import :: MPI_Info, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Info), intent(in) :: info
      integer, intent(in) :: n
      integer :: pset_len
      character(len=*) :: pset_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_get_num_psets(session, info, npset_names, ierror)
      import :: MPI_Info, MPI_Session
      type(MPI_Session), intent(in) :: session
      type(MPI_Info), intent(in) :: info
      integer :: npset_names
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_get_pset_info(session, pset_name, info, ierror)
      import :: MPI_Info, MPI_Session
      type(MPI_Session), intent(in) :: session
      character(len=*), intent(in) :: pset_name
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Session_init(info, errhandler, session, ierror)
      import :: MPI_Errhandler, MPI_Info, MPI_Session
      type(MPI_Info), intent(in) :: info
      type(MPI_Errhandler), intent(in) :: errhandler
      type(MPI_Session) :: session
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Unpublish_name(service_name, info, port_name, ierror)
      import :: MPI_Info
      character(len=*), intent(in) :: service_name
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: port_name
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Accumulate
    subroutine PMPI_Accumulate(origin_addr, origin_count, origin_datatype, target_rank, &
        target_disp, target_count, target_datatype, op, win, ierror) bind(C, &
        name="pmpi_accumulate_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Accumulate_c(origin_addr, origin_count, origin_datatype, target_rank, &
        target_disp, target_count, target_datatype, op, win, ierror) bind(C, &
        name="pmpi_accumulate_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, &
        target_disp, win, ierror) bind(C, name="pmpi_compare_and_swap_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      type(*), dimension(..), asynchronous, target :: compare_addr
      type(*), dimension(..), asynchronous, target :: result_addr
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, &
        win, ierror) bind(C, name="pmpi_fetch_and_op_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      type(*), dimension(..), asynchronous, target :: result_addr
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Get
    subroutine PMPI_Get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, ierror) bind(C, name="pmpi_get_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Get_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, ierror) bind(C, name="pmpi_get_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Get_accumulate
    subroutine PMPI_Get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, &
        result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, &
        win, ierror) bind(C, name="pmpi_get_accumulate_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      type(*), dimension(..), asynchronous, target :: result_addr
      integer, intent(in) :: result_count
      type(MPI_Datatype), intent(in) :: result_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Get_accumulate_c(origin_addr, origin_count, origin_datatype, result_addr, &
        result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, &
        win, ierror) bind(C, name="pmpi_get_accumulate_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Op, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      type(*), dimension(..), asynchronous, target :: result_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: result_count
      type(MPI_Datatype), intent(in) :: result_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Put
    subroutine PMPI_Put(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, ierror) bind(C, name="pmpi_put_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Put_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, ierror) bind(C, name="pmpi_put_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Raccumulate
    subroutine PMPI_Raccumulate(origin_addr, origin_count, origin_datatype, target_rank, &
        target_disp, target_count, target_datatype, op, win, request, ierror) bind(C, &
        name="pmpi_raccumulate_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Raccumulate_c(origin_addr, origin_count, origin_datatype, target_rank, &
        target_disp, target_count, target_datatype, op, win, request, ierror) bind(C, &
        name="pmpi_raccumulate_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Op, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Rget
    subroutine PMPI_Rget(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, request, ierror) bind(C, name="pmpi_rget_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Rget_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, request, ierror) bind(C, name="pmpi_rget_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Rget_accumulate
    subroutine PMPI_Rget_accumulate(origin_addr, origin_count, origin_datatype, result_addr, &
        result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, &
        win, request, ierror) bind(C, name="pmpi_rget_accumulate_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Op, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      type(*), dimension(..), asynchronous, target :: result_addr
      integer, intent(in) :: result_count
      type(MPI_Datatype), intent(in) :: result_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Rget_accumulate_c(origin_addr, origin_count, origin_datatype, result_addr, &
        result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, &
        win, request, ierror) bind(C, name="pmpi_rget_accumulate_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Op, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      type(*), dimension(..), asynchronous, target :: result_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: result_count
      type(MPI_Datatype), intent(in) :: result_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Op), intent(in) :: op
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Rput
    subroutine PMPI_Rput(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, request, ierror) bind(C, name="pmpi_rput_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer, intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer, intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Rput_c(origin_addr, origin_count, origin_datatype, target_rank, target_disp, &
        target_count, target_datatype, win, request, ierror) bind(C, name="pmpi_rput_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_COUNT_KIND, MPI_Datatype, MPI_Request, MPI_Win
      type(*), dimension(..), asynchronous, target :: origin_addr
      integer(kind=MPI_COUNT_KIND), intent(in) :: origin_count
      type(MPI_Datatype), intent(in) :: origin_datatype
      integer, intent(in) :: target_rank
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: target_disp
      integer(kind=MPI_COUNT_KIND), intent(in) :: target_count
      type(MPI_Datatype), intent(in) :: target_datatype
      type(MPI_Win), intent(in) :: win
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Win_allocate
    subroutine PMPI_Win_allocate(size, disp_unit, info, comm, baseptr, win, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer, intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: baseptr
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Win_allocate_c(size, disp_unit, info, comm, baseptr, win, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: baseptr
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Win_allocate_shared
    subroutine PMPI_Win_allocate_shared(size, disp_unit, info, comm, baseptr, win, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer, intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: baseptr
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Win_allocate_shared_c(size, disp_unit, info, comm, baseptr, win, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(C_PTR) :: baseptr
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_attach(win, base, size, ierror) bind(C, name="pmpi_win_attach_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(*), dimension(..), asynchronous, target :: base
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_complete(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Win_create
    subroutine PMPI_Win_create(base, size, disp_unit, info, comm, win, ierror) bind(C, &
        name="pmpi_win_create_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      type(*), dimension(..), asynchronous, target :: base
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer, intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Win_create_c(base, size, disp_unit, info, comm, win, ierror) bind(C, &
        name="pmpi_win_create_c_cdesc_")
      import :: MPI_ADDRESS_KIND, MPI_Comm, MPI_Info, MPI_Win
      type(*), dimension(..), asynchronous, target :: base
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: size
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: disp_unit
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_create_dynamic(info, comm, win, ierror)
      import :: MPI_Comm, MPI_Info, MPI_Win
      type(MPI_Info), intent(in) :: info
      type(MPI_Comm), intent(in) :: comm
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_detach(win, base, ierror) bind(C, name="pmpi_win_detach_cdesc_")
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      type(*), dimension(..), asynchronous, target :: base
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_fence(assert, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_flush(rank, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: rank
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_flush_all(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_flush_local(rank, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: rank
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_flush_local_all(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_free(win, ierror)
      import :: MPI_Win
      type(MPI_Win) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_get_group(win, group, ierror)
      import :: MPI_Group, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_get_info(win, info_used, ierror)
      import :: MPI_Info, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Info) :: info_used
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_lock(lock_type, rank, assert, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: lock_type
      integer, intent(in) :: rank
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_lock_all(assert, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_post(group, assert, win, ierror)
      import :: MPI_Group, MPI_Win
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_set_info(win, info, ierror)
      import :: MPI_Info, MPI_Win
      type(MPI_Win), intent(in) :: win
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Win_shared_query
    subroutine PMPI_Win_shared_query(win, rank, size, disp_unit, baseptr, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: rank
      integer(kind=MPI_ADDRESS_KIND) :: size
      integer :: disp_unit
      type(C_PTR) :: baseptr
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Win_shared_query_c(win, rank, size, disp_unit, baseptr, ierror)
      import :: C_PTR, MPI_ADDRESS_KIND, MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(in) :: rank
      integer(kind=MPI_ADDRESS_KIND) :: size
      integer(kind=MPI_ADDRESS_KIND) :: disp_unit
      type(C_PTR) :: baseptr
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_start(group, assert, win, ierror)
      import :: MPI_Group, MPI_Win
      type(MPI_Group), intent(in) :: group
      integer, intent(in) :: assert
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_sync(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_test(win, flag, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_unlock(rank, win, ierror)
      import :: MPI_Win
      integer, intent(in) :: rank
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_unlock_all(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Win_wait(win, ierror)
      import :: MPI_Win
      type(MPI_Win), intent(in) :: win
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Grequest_complete(request, ierror)
      import :: MPI_Request
      type(MPI_Request), intent(in) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Grequest_start(query_fn, free_fn, cancel_fn, extra_state, request, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Grequest_cancel_function, MPI_Grequest_free_function, &
        MPI_Grequest_query_function, MPI_Request
      procedure(MPI_Grequest_query_function) :: query_fn
      procedure(MPI_Grequest_free_function) :: free_fn
      procedure(MPI_Grequest_cancel_function) :: cancel_fn
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Status_set_cancelled(status, flag, ierror)
      import :: MPI_Status
      type(MPI_Status) :: status
      logical, intent(in) :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_Status_set_elements
    subroutine PMPI_Status_set_elements(status, datatype, count, ierror)
      import :: MPI_Datatype, MPI_Status
      type(MPI_Status) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(in) :: count
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_Status_set_elements_c(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_close(fh, ierror)
      import :: MPI_File
      type(MPI_File) :: fh
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_delete(filename, info, ierror)
      import :: MPI_Info
      character(len=*), intent(in) :: filename
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_amode(fh, amode, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      integer :: amode
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_atomicity(fh, flag, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_byte_offset(fh, offset, disp, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      integer(kind=MPI_OFFSET_KIND) :: disp
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_group(fh, group, ierror)
      import :: MPI_File, MPI_Group
      type(MPI_File), intent(in) :: fh
      type(MPI_Group) :: group
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_info(fh, info_used, ierror)
      import :: MPI_File, MPI_Info
      type(MPI_File), intent(in) :: fh
      type(MPI_Info) :: info_used
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_position(fh, offset, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND) :: offset
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_position_shared(fh, offset, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND) :: offset
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_size(fh, size, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_type_extent(fh, datatype, extent, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_ADDRESS_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
    subroutine PMPI_File_get_type_extent_c(fh, datatype, extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_get_view(fh, disp, etype, filetype, datarep, ierror)
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND) :: disp
      type(MPI_Datatype) :: etype
      type(MPI_Datatype) :: filetype
      character(len=*) :: datarep
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iread
    subroutine PMPI_File_iread(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iread_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iread_all
    subroutine PMPI_File_iread_all(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iread_all_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iread_at
    subroutine PMPI_File_iread_at(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_at_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iread_at_c(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_at_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iread_at_all
    subroutine PMPI_File_iread_at_all(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_at_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iread_at_all_c(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_at_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iread_shared
    subroutine PMPI_File_iread_shared(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_shared_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iread_shared_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iread_shared_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iwrite
    subroutine PMPI_File_iwrite(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iwrite_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iwrite_all
    subroutine PMPI_File_iwrite_all(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iwrite_all_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iwrite_at
    subroutine PMPI_File_iwrite_at(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_at_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iwrite_at_c(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_at_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iwrite_at_all
    subroutine PMPI_File_iwrite_at_all(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_at_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iwrite_at_all_c(fh, offset, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_at_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Request
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_iwrite_shared
    subroutine PMPI_File_iwrite_shared(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_shared_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_iwrite_shared_c(fh, buf, count, datatype, request, ierror) bind(C, &
        name="pmpi_file_iwrite_shared_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Request
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Request) :: request
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_open(comm, filename, amode, info, fh, ierror)
      import :: MPI_Comm, MPI_File, MPI_Info
      type(MPI_Comm), intent(in) :: comm
      character(len=*), intent(in) :: filename
      integer, intent(in) :: amode
      type(MPI_Info), intent(in) :: info
      type(MPI_File) :: fh
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_preallocate(fh, size, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read
    subroutine PMPI_File_read(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read_all
    subroutine PMPI_File_read_all(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_all_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read_all_begin
    subroutine PMPI_File_read_all_begin(fh, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_read_all_begin_cdesc_")
      import :: MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_all_begin_c(fh, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_read_all_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_read_all_end(fh, buf, status, ierror) bind(C, &
        name="pmpi_file_read_all_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read_at
    subroutine PMPI_File_read_at(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_at_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_at_c(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_at_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read_at_all
    subroutine PMPI_File_read_at_all(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_at_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_at_all_c(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_at_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read_at_all_begin
    subroutine PMPI_File_read_at_all_begin(fh, offset, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_read_at_all_begin_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_at_all_begin_c(fh, offset, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_read_at_all_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_read_at_all_end(fh, buf, status, ierror) bind(C, &
        name="pmpi_file_read_at_all_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read_ordered
    subroutine PMPI_File_read_ordered(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_ordered_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_ordered_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_ordered_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read_ordered_begin
    subroutine PMPI_File_read_ordered_begin(fh, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_read_ordered_begin_cdesc_")
      import :: MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_ordered_begin_c(fh, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_read_ordered_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_read_ordered_end(fh, buf, status, ierror) bind(C, &
        name="pmpi_file_read_ordered_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_read_shared
    subroutine PMPI_File_read_shared(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_shared_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_read_shared_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_read_shared_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_seek(fh, offset, whence, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      integer, intent(in) :: whence
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_seek_shared(fh, offset, whence, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      integer, intent(in) :: whence
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_set_atomicity(fh, flag, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      logical, intent(in) :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_set_info(fh, info, ierror)
      import :: MPI_File, MPI_Info
      type(MPI_File), intent(in) :: fh
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_set_size(fh, size, ierror)
      import :: MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_set_view(fh, disp, etype, filetype, datarep, info, ierror)
      import :: MPI_Datatype, MPI_File, MPI_Info, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: disp
      type(MPI_Datatype), intent(in) :: etype
      type(MPI_Datatype), intent(in) :: filetype
      character(len=*), intent(in) :: datarep
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_sync(fh, ierror)
      import :: MPI_File
      type(MPI_File), intent(in) :: fh
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write
    subroutine PMPI_File_write(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write_all
    subroutine PMPI_File_write_all(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_all_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write_all_begin
    subroutine PMPI_File_write_all_begin(fh, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_write_all_begin_cdesc_")
      import :: MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_all_begin_c(fh, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_write_all_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_write_all_end(fh, buf, status, ierror) bind(C, &
        name="pmpi_file_write_all_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write_at
    subroutine PMPI_File_write_at(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_at_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_at_c(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_at_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write_at_all
    subroutine PMPI_File_write_at_all(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_at_all_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_at_all_c(fh, offset, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_at_all_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND, MPI_Status
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write_at_all_begin
    subroutine PMPI_File_write_at_all_begin(fh, offset, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_write_at_all_begin_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_at_all_begin_c(fh, offset, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_write_at_all_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_OFFSET_KIND
      type(MPI_File), intent(in) :: fh
      integer(kind=MPI_OFFSET_KIND), intent(in) :: offset
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_write_at_all_end(fh, buf, status, ierror) bind(C, &
        name="pmpi_file_write_at_all_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write_ordered
    subroutine PMPI_File_write_ordered(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_ordered_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_ordered_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_ordered_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write_ordered_begin
    subroutine PMPI_File_write_ordered_begin(fh, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_write_ordered_begin_cdesc_")
      import :: MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_ordered_begin_c(fh, buf, count, datatype, ierror) bind(C, &
        name="pmpi_file_write_ordered_begin_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_File_write_ordered_end(fh, buf, status, ierror) bind(C, &
        name="pmpi_file_write_ordered_end_cdesc_")
      import :: MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface PMPI_File_write_shared
    subroutine PMPI_File_write_shared(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_shared_cdesc_")
      import :: MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer, intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
    subroutine PMPI_File_write_shared_c(fh, buf, count, datatype, status, ierror) bind(C, &
        name="pmpi_file_write_shared_c_cdesc_")
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_File, MPI_Status
      type(MPI_File), intent(in) :: fh
      type(*), dimension(..), asynchronous, target :: buf
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      type(MPI_Datatype), intent(in) :: datatype
      type(MPI_Status) :: status
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Register_datarep(datarep, read_conversion_fn, write_conversion_fn, &
        dtype_file_extent_fn, extra_state, ierror)
      import :: MPI_ADDRESS_KIND, MPI_Datarep_conversion_function, MPI_Datarep_extent_function
      character(len=*), intent(in) :: datarep
      procedure(MPI_Datarep_conversion_function) :: read_conversion_fn
      procedure(MPI_Datarep_conversion_function) :: write_conversion_fn
      procedure(MPI_Datarep_extent_function) :: dtype_file_extent_fn
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: extra_state
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_get(info, key, valuelen, value, flag, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer, intent(in) :: valuelen
      character(len=*) :: value
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Info_get_valuelen(info, key, valuelen, flag, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      character(len=*), intent(in) :: key
      integer :: valuelen
      logical :: flag
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Get_elements_x(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status), intent(in) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Status_set_elements_x(status, datatype, count, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype, MPI_Status
      type(MPI_Status) :: status
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND), intent(in) :: count
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_get_extent_x(datatype, lb, extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: lb
      integer(kind=MPI_COUNT_KIND) :: extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_get_true_extent_x(datatype, true_lb, true_extent, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: true_lb
      integer(kind=MPI_COUNT_KIND) :: true_extent
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_size_x(datatype, size, ierror)
      import :: MPI_COUNT_KIND, MPI_Datatype
      type(MPI_Datatype), intent(in) :: datatype
      integer(kind=MPI_COUNT_KIND) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_create_f90_complex(p, r, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: p
      integer, intent(in) :: r
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_create_f90_integer(r, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: r
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_create_f90_real(p, r, newtype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: p
      integer, intent(in) :: r
      type(MPI_Datatype) :: newtype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Type_match_size(typeclass, size, datatype, ierror)
      import :: MPI_Datatype
      integer, intent(in) :: typeclass
      integer, intent(in) :: size
      type(MPI_Datatype) :: datatype
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Abi_get_fortran_booleans(logical_size, logical_true, logical_false, is_set, &
        ierror)
      integer, intent(in) :: logical_size
      !GCC$ attributes no_arg_check :: logical_true
      !DIR$ ignore_tkr logical_true
      type(*), dimension(*), asynchronous, target :: logical_true
      !GCC$ attributes no_arg_check :: logical_false
      !DIR$ ignore_tkr logical_false
      type(*), dimension(*), asynchronous, target :: logical_false
      logical :: is_set
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Abi_get_fortran_info(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Abi_get_info(info, ierror)
      import :: MPI_Info
      type(MPI_Info) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Abi_get_version(abi_major, abi_minor, ierror)
      integer :: abi_major
      integer :: abi_minor
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Abi_set_fortran_booleans(logical_size, logical_true, logical_false, ierror)
      integer, intent(in) :: logical_size
      !GCC$ attributes no_arg_check :: logical_true
      !DIR$ ignore_tkr logical_true
      type(*), dimension(*), asynchronous, target :: logical_true
      !GCC$ attributes no_arg_check :: logical_false
      !DIR$ ignore_tkr logical_false
      type(*), dimension(*), asynchronous, target :: logical_false
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface 
    subroutine PMPI_Abi_set_fortran_info(info, ierror)
      import :: MPI_Info
      type(MPI_Info), intent(in) :: info
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
  interface
function PMPI_Aint_add(base, disp)
      import :: MPI_ADDRESS_KIND
      integer(kind=MPI_ADDRESS_KIND) :: PMPI_Aint_add
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: base, disp
    end function
    function PMPI_Aint_diff(addr1, addr2)
      import :: MPI_ADDRESS_KIND
      integer(kind=MPI_ADDRESS_KIND) :: PMPI_Aint_diff
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: addr1, addr2
    end function
    subroutine PMPI_F_sync_reg(buf) bind(C, name="pmpi_f_sync_reg_")
      type(*), dimension(..), asynchronous :: buf
    end subroutine
    subroutine PMPI_Pcontrol(level)
      integer, intent(in) :: level
    end subroutine
    function PMPI_Wtick()
      double precision :: PMPI_Wtick
    end function
    function PMPI_Wtime()
      double precision :: PMPI_Wtime
    end function
  end interface
interface
    subroutine MPI_Sizeof(x, size, ierror) bind(C, name="mpi_sizeof_cdesc_")
      type(*), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
end module mpi_f08
