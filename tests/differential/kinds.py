"""What the generated cases call functions with. A parameter has a good value and edges, found by
its type and name; a function may say otherwise. An edge changes one parameter; beside a count of 0
or a null process, each edge of the others is tried too."""

import re

# Not called here: what ends or starts the process (`lifecycle.c` has these), what says who is
# running, what converts a handle to the library's own number, and what the ABI alone has.
LEFT_OUT = {
    "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort", "MPI_Pcontrol",
    "MPI_Get_library_version", "MPI_Get_processor_name", "MPI_Get_version",
    "MPI_Abi_get_fortran_booleans", "MPI_Abi_get_fortran_info", "MPI_Abi_get_info",
    "MPI_Abi_get_version", "MPI_Abi_set_fortran_booleans", "MPI_Abi_set_fortran_info",
    "MPI_Comm_toint", "MPI_Errhandler_toint", "MPI_File_toint", "MPI_Group_toint",
    "MPI_Info_toint", "MPI_Message_toint", "MPI_Op_toint", "MPI_Request_toint",
    "MPI_Session_toint", "MPI_Type_toint", "MPI_Win_toint", "MPI_Get_hw_resource_info",
    "MPI_Info_create_env",
}

# Not called either: windows and what is done on them, for each needs an epoch around it that the
# generated programs do not open. Error handlers need none.
OF_WINDOWS = re.compile(r"""MPI_(?:Win_(?!create_errhandler)\w+|Fetch_and_op|Compare_and_swap
    |(?:Put|Get|Accumulate|Get_accumulate|Rput|Rget|Raccumulate|Rget_accumulate)(?:_c)?)""", re.X)

RANKS = ["1", "1000000", "-100", "MPI_PROC_NULL", "MPI_ANY_SOURCE", "MPI_ROOT", "MPI_UNDEFINED"]
COUNTS = ["0", "-1"]
TAGS = ["0", "-100", "MPI_ANY_TAG", "MPI_UNDEFINED", "tag_ub()", "tag_ub_plus_one()"]

# By the name of a parameter of type int, MPI_Aint or MPI_Count.
SCALARS = {
    **dict.fromkeys(["count", "incount", "outcount", "sendcount", "recvcount"], ("1", COUNTS)),
    **dict.fromkeys(["dest", "source", "root"], ("0", RANKS)),
    **dict.fromkeys(["tag", "sendtag", "recvtag"], ("7", TAGS)),
    "rank": ("0", RANKS),
    "size": ("1000", ["0", "-1", "1"]),
    "insize": ("64", ["0", "-1", "3"]),
    "outsize": ("64", ["0", "-1", "3"]),
    "error": ("0", ["MPI_ERR_COUNT", "-1", "1 << 30"]),
    "partition": ("0", ["1", "2", "-1"]),
    "partitions": ("2", ["0", "-1", "1"]),
    "partition_low": ("0", ["1", "2", "-1"]),
    "partition_high": ("1", ["0", "2", "-1"]),
    "length": ("1", ["0", "-1", "2"]),
    "ndims": ("1", ["0", "-1", "2"]),
    "order": ("MPI_ORDER_C", ["MPI_ORDER_FORTRAN", "0", "-1"]),
    "blocklength": ("2", ["0", "-1"]),
    "stride": ("3", ["0", "-3"]),
    "lb": ("0", ["-8", "4"]),
    "extent": ("16", ["0", "-16", "1"]),
    "max_integers": ("9", ["0", "-1", "1"]),
    "max_addresses": ("9", ["0", "-1"]),
    "max_datatypes": ("9", ["0", "-1"]),
    "max_large_counts": ("9", ["0", "-1"]),
    "commute": ("1", ["0", "-5"]),
    "color": ("0", ["1", "-1", "MPI_UNDEFINED", "INT_MAX"]),
    "key": ("0", ["-1", "INT_MIN", "INT_MAX"]),
    "split_type": ("MPI_COMM_TYPE_SHARED", ["MPI_UNDEFINED", "-1", "0", "12345",
                                            "MPI_COMM_TYPE_HW_UNGUIDED"]),
    "n": ("1", ["0", "-1", "2"]),
    "local_leader": ("0", RANKS),
    "remote_leader": ("0", RANKS),
    "high": ("0", ["1", "-1"]),
    "maxdims": ("2", ["0", "-1", "1", "3"]),
    "reorder": ("0", ["1", "-1"]),
    "direction": ("0", ["1", "2", "-1"]),
    "disp": ("1", ["0", "-1", "1000000", "INT_MAX", "INT_MIN"]),
    "nnodes": ("1", ["0", "-1", "2"]),
    "indegree": ("1", ["0", "-1"]),
    "outdegree": ("1", ["0", "-1"]),
    "maxindegree": ("1", ["0", "-1", "2"]),
    "maxoutdegree": ("1", ["0", "-1", "2"]),
    "maxindex": ("1", ["0", "-1", "2"]),
    "maxedges": ("1", ["0", "-1", "2"]),
    "maxneighbors": ("1", ["0", "-1", "2"]),
    "errorclass": ("made_class()", ["MPI_ERR_COUNT", "MPI_SUCCESS", "-1", "1 << 30",
                                    "made_code()", "MPI_ERR_LASTCODE"]),
    "errorcode": ("made_code()", ["MPI_ERR_COUNT", "MPI_SUCCESS", "-1", "1 << 30",
                                  "made_class()", "MPI_ERR_LASTCODE"]),
    "flag": ("0", ["1", "-1"]),
    "p": ("6", ["0", "-1", "15", "18", "33", "100", "MPI_UNDEFINED"]),
    "r": ("4", ["0", "-1", "9", "18", "30", "37", "100", "300", "4000", "5000",
                "MPI_UNDEFINED"]),
    "typeclass": ("MPI_TYPECLASS_INTEGER", ["MPI_TYPECLASS_REAL", "MPI_TYPECLASS_COMPLEX", "0",
                                            "-1"]),
    **dict.fromkeys(["comm_keyval", "keyval"], (
        "made_keyval()", ["MPI_KEYVAL_INVALID", "freed_keyval()", "kept_keyval()", "MPI_TAG_UB",
                     "MPI_APPNUM", "MPI_LASTUSEDCODE", "MPI_UNIVERSE_SIZE", "MPI_WTIME_IS_GLOBAL",
                     "MPI_IO", "MPI_HOST", "-5", "12345678", "made_type_keyval()"])),
    "type_keyval": ("made_type_keyval()", ["MPI_KEYVAL_INVALID", "freed_type_keyval()",
                                           "MPI_TAG_UB", "-5", "made_keyval()"]),
    "valuelen": ("10", ["0", "-1", "2", "4", "5000"]),
    "argc": ("0", ["1", "-1"]),
}

KEYS = ["NULL", '""', '"gray"', "long_text(MPI_MAX_INFO_KEY - 1)", "long_text(MPI_MAX_INFO_KEY)",
        "long_text(9000)"]
# By the name of a parameter that is text.
TEXTS = {
    "datarep": ('"external32"', ["NULL", '""', '"native"', '"EXTERNAL32"']),
    "comm_name": ('"a name"', ["NULL", '""', "long_text(MPI_MAX_OBJECT_NAME - 1)",
                               "long_text(MPI_MAX_OBJECT_NAME)", "long_text(9000)"]),
    "stringtag": ('"a tag"', ["NULL", '""', "long_text(MPI_MAX_STRINGTAG_LEN - 1)",
                              "long_text(9000)"]),
    "pset_name": ('"mpi://SELF"', ["NULL", '""', '"mpi://WORLD"', '"mpi://self"', '"nothing"',
                                   "long_text(9000)"]),
    "string": ('"a text"', ["NULL", '""', "long_text(MPI_MAX_ERROR_STRING - 1)",
                            "long_text(9000)"]),
    "key": ('"colour"', KEYS),
    "value": ('"red"', ["NULL", '""', "long_text(MPI_MAX_INFO_VAL - 1)",
                        "long_text(MPI_MAX_INFO_VAL)", "long_text(9000)"]),
}
TEXTS["type_name"] = TEXTS["comm_name"]

# By the type of a parameter that is a handle.
HANDLES = {
    "MPI_Comm": ("MPI_COMM_WORLD", ["MPI_COMM_NULL", "freed_comm()", "MPI_COMM_SELF", "cart()"]),
    "MPI_Datatype": ("MPI_INT", ["MPI_DATATYPE_NULL", "freed_type()", "uncommitted()",
                                 "empty_type()", "vector_type()", "MPI_PACKED", "MPI_BYTE"]),
    "MPI_Op": ("MPI_SUM", ["MPI_OP_NULL", "freed_op()", "user_op()", "MPI_REPLACE", "MPI_NO_OP",
                           "MPI_MINLOC"]),
    "MPI_Group": ("world_group()", ["MPI_GROUP_NULL", "MPI_GROUP_EMPTY", "freed_group()"]),
    "MPI_Info": ("MPI_INFO_NULL", ["info_object()", "freed_info()", "MPI_INFO_ENV"]),
    "MPI_Errhandler": ("MPI_ERRORS_RETURN", [
        "MPI_ERRHANDLER_NULL", "freed_errhandler()", "comm_errhandler()", "session_errhandler()",
        "file_errhandler()", "MPI_ERRORS_ARE_FATAL", "MPI_ERRORS_ABORT"]),
    "MPI_Session": ("open_session()", ["MPI_SESSION_NULL", "freed_session()"]),
    "MPI_Request": ("done_request()", ["MPI_REQUEST_NULL", "persistent()", "freed_request()",
                                       "generalized()"]),
    "MPI_Message": ("matched()", ["MPI_MESSAGE_NULL", "MPI_MESSAGE_NO_PROC"]),
}

# By the type of a parameter that points to a handle which the call reads.
HANDLES_AT = {
    "MPI_Comm": ("new_comm()", ["MPI_COMM_NULL", "freed_comm()", "MPI_COMM_WORLD",
                                "MPI_COMM_SELF"]),
    "MPI_Datatype": ("new_type()", ["MPI_DATATYPE_NULL", "freed_type()", "MPI_INT"]),
    "MPI_Op": ("new_op()", ["MPI_OP_NULL", "freed_op()", "MPI_SUM"]),
    "MPI_Group": ("new_group()", ["MPI_GROUP_NULL", "freed_group()", "MPI_GROUP_EMPTY"]),
    "MPI_Info": ("new_info()", ["MPI_INFO_NULL", "freed_info()", "MPI_INFO_ENV"]),
    "MPI_Errhandler": ("new_errhandler()", ["MPI_ERRHANDLER_NULL", "freed_errhandler()",
                                            "MPI_ERRORS_RETURN", "MPI_ERRORS_ARE_FATAL"]),
    "MPI_Session": ("new_session()", ["MPI_SESSION_NULL", "freed_session()"]),
    "MPI_Request": ("done_request()", ["MPI_REQUEST_NULL", "persistent()", "freed_request()",
                                       "generalized()"]),
    "MPI_Message": ("matched()", ["MPI_MESSAGE_NULL", "MPI_MESSAGE_NO_PROC"]),
}
READS_HANDLE_AT = {
    "MPI_Comm_free", "MPI_Comm_disconnect", "MPI_Type_free", "MPI_Type_commit", "MPI_Op_free",
    "MPI_Group_free", "MPI_Info_free", "MPI_Errhandler_free", "MPI_Session_finalize",
    "MPI_Request_free", "MPI_Cancel", "MPI_Start", "MPI_Test", "MPI_Wait", "MPI_Mrecv",
    "MPI_Imrecv",
}

# By the name of a parameter that is an array which the call reads: four values, and edges.
ARRAYS = {
    **dict.fromkeys(["recvcounts", "sendcounts"], ("1, 1, 1, 1", ["0, 0, 0, 0", "-1, -1, 1, 1"])),
    **dict.fromkeys(["displs", "sdispls", "rdispls"], ("0, 0, 0, 0", ["-1, -1, 0, 0"])),
    **dict.fromkeys(["sendtypes", "recvtypes"], (
        "MPI_INT, MPI_INT", ["MPI_DATATYPE_NULL, MPI_DATATYPE_NULL", "uncommitted(), MPI_INT",
                             "freed_type(), MPI_INT"])),
    "array_of_requests": ("done_request(), MPI_REQUEST_NULL", [
        "MPI_REQUEST_NULL, MPI_REQUEST_NULL", "persistent(), MPI_REQUEST_NULL",
        "freed_request(), MPI_REQUEST_NULL"]),
    "array_of_partitions": ("0, 1", ["-1, 0", "2, 0"]),
    "array_of_gsizes": ("4, 4", ["0, 0", "-1, 4"]),
    "array_of_distribs": ("MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK", [
        "MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_NONE", "MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE",
        "0, 0"]),
    "array_of_dargs": ("MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG", [
        "4, 4", "0, 0", "-1, -1", "1, 1"]),
    "array_of_psizes": ("1, 1", ["0, 0", "-1, 1", "2, 1"]),
    "array_of_blocklengths": ("1, 2", ["0, 0", "-1, 1"]),
    "array_of_displacements": ("0, 8", ["-8, 8"]),
    "array_of_types": ("MPI_INT, MPI_INT", ["MPI_DATATYPE_NULL, MPI_INT",
                                            "freed_type(), MPI_INT", "uncommitted(), MPI_INT"]),
    "array_of_sizes": ("4, 4", ["0, 0", "-1, 4", "2, 2"]),
    "array_of_subsizes": ("2, 2", ["0, 0", "-1, 2", "5, 5"]),
    "array_of_starts": ("1, 1", ["3, 0", "-1, 0", "4, 0"]),
    **dict.fromkeys(["ranks", "ranks1"], ("0, 0", ["1, 0", "-1, 0", "MPI_PROC_NULL, 0",
                                                   "MPI_UNDEFINED, 0"])),
    "dims": ("1, 1", ["0, 1", "-1, 1", "2, 1"]),
    "periods": ("1, 0", ["0, 0", "-1, 0"]),
    "coords": ("0, 0", ["1, 0", "0, 1", "-1, 0", "0, -1", "1000, 0"]),
    "remain_dims": ("1, 0", ["0, 0", "1, 1", "-1, 0"]),
    "sources": ("0, 0", ["1, 0", "-1, 0", "MPI_PROC_NULL, 0"]),
    "destinations": ("0, 0", ["1, 0", "-1, 0", "MPI_PROC_NULL, 0"]),
    "degrees": ("1, 0", ["0, 0", "-1, 0", "2, 0"]),
    "index": ("1, 2", ["0, 0", "-1, 0", "2, 2"]),
    "edges": ("0, 0", ["1, 0", "-1, 0"]),
    "array_of_indices": ("0, 0", []),
}
WEIGHTS = ("5, 5", ["-1, 0", "0, 0"])
ARRAYS.update(dict.fromkeys(["weights", "sourceweights", "destweights"], WEIGHTS))
WEIGHT_EDGES = ["MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY", "NULL"]

# By the name of a parameter that is a function.
CALLBACKS = {
    "user_fn": ("combine", ["NULL"]),
    "comm_copy_attr_fn": ("copy_attribute", ["MPI_COMM_NULL_COPY_FN", "MPI_COMM_DUP_FN", "NULL"]),
    "comm_delete_attr_fn": ("delete_attribute", ["MPI_COMM_NULL_DELETE_FN", "NULL"]),
    "type_copy_attr_fn": ("copy_type_attribute", ["MPI_TYPE_NULL_COPY_FN", "MPI_TYPE_DUP_FN",
                                                  "NULL"]),
    "type_delete_attr_fn": ("delete_type_attribute", ["MPI_TYPE_NULL_DELETE_FN", "NULL"]),
    "copy_fn": ("copy_attribute", ["MPI_NULL_COPY_FN", "MPI_DUP_FN", "NULL"]),
    "delete_fn": ("delete_attribute", ["MPI_NULL_DELETE_FN", "NULL"]),
    "comm_errhandler_fn": ("on_comm_error", ["NULL"]),
    "file_errhandler_fn": ("on_file_error", ["NULL"]),
    "session_errhandler_fn": ("on_session_error", ["NULL"]),
    "win_errhandler_fn": ("on_win_error", ["NULL"]),
    "query_fn": ("query", ["NULL"]),
    "free_fn": ("free_extra", ["NULL"]),
    "cancel_fn": ("cancel_it", ["NULL"]),
}

IN_BUFFERS = ["buf", "sendbuf", "inbuf"]
BUFFER_EDGES = ["NULL", "MPI_IN_PLACE"]

# What a function says otherwise: a parameter's good value, and further edges (whole statements).
GOOD = {
    "MPI_Cart_coords": {"comm": "cart()"},
    "MPI_Cart_get": {"comm": "cart()"},
    "MPI_Cart_rank": {"comm": "cart()"},
    "MPI_Cart_shift": {"comm": "cart()"},
    "MPI_Cart_sub": {"comm": "cart()"},
    "MPI_Cartdim_get": {"comm": "cart()"},
    "MPI_Graph_get": {"comm": "graph()"},
    "MPI_Graph_neighbors": {"comm": "graph()"},
    "MPI_Graph_neighbors_count": {"comm": "graph()"},
    "MPI_Graphdims_get": {"comm": "graph()"},
    "MPI_Dist_graph_neighbors": {"comm": "dist_graph()"},
    "MPI_Dist_graph_neighbors_count": {"comm": "dist_graph()"},
    "MPI_Get_address": {"location": "in_data"},
    "MPI_Parrived": {"request": "partitioned_receive()"},
    "MPI_Pready": {"request": "partitioned_send()"},
    "MPI_Pready_list": {"request": "partitioned_send()"},
    "MPI_Pready_range": {"request": "partitioned_send()"},
    "MPI_Precv_init": {"dest": "MPI_PROC_NULL"},
    "MPI_Psend_init": {"dest": "MPI_PROC_NULL"},
    "MPI_Grequest_complete": {"request": "generalized()"},
    "MPI_Info_delete": {"info": "new_info()"},
    "MPI_Info_dup": {"info": "info_object()"},
    "MPI_Info_get": {"info": "info_object()"},
    "MPI_Info_get_nkeys": {"info": "info_object()"},
    "MPI_Info_get_nthkey": {"info": "info_object()", "n": "0"},
    "MPI_Info_get_string": {"info": "info_object()"},
    "MPI_Info_get_valuelen": {"info": "info_object()"},
    "MPI_Info_set": {"info": "new_info()"},
    "MPI_Comm_call_errhandler": {"errorcode": "MPI_ERR_OTHER"},
    "MPI_Session_call_errhandler": {"errorcode": "MPI_ERR_OTHER"},
    "MPI_Session_get_nth_pset": {"n": "0"},
    "MPI_Type_match_size": {"size": "4"},
    "MPI_Type_create_darray": {"size": "1", "ndims": "2"},
    "MPI_Type_create_subarray": {"ndims": "2"},
    "MPI_Dims_create": {"nnodes": "6", "ndims": "2"},
    "MPI_Type_create_hvector": {"stride": "12"},
    "MPI_Type_get_contents": {"datatype": "vector_type()"},
    "MPI_Type_get_value_index": {"value_type": "MPI_DOUBLE"},
    "MPI_Intercomm_create": {"peer_comm": "MPI_COMM_WORLD"},
}
MORE = {
    "MPI_Type_match_size": ["size = 1", "size = 2", "size = 8", "size = 16", "size = 32",
                            "typeclass = MPI_TYPECLASS_REAL; size = 2",
                            "typeclass = MPI_TYPECLASS_REAL; size = 8",
                            "typeclass = MPI_TYPECLASS_REAL; size = 16",
                            "typeclass = MPI_TYPECLASS_COMPLEX; size = 8",
                            "typeclass = MPI_TYPECLASS_COMPLEX; size = 16",
                            "typeclass = MPI_TYPECLASS_COMPLEX; size = 32"],
    "MPI_Dims_create": ["nnodes = 7; dims_v[0] = 2", "dims_v[0] = -2", "dims_v[0] = 4",
                        "dims_v[0] = 3; dims_v[1] = 2", "dims_v[0] = 2; dims_v[1] = 2",
                        "nnodes = 0; ndims = 0", "nnodes = 1; ndims = 0", "nnodes = 0"],
    "MPI_Attr_put": ["comm = freed_comm(); keyval = MPI_KEYVAL_INVALID"],
    "MPI_Comm_free_keyval": ["*comm_keyval = kept_keyval()", "*comm_keyval = freed_keyval()",
                             "*comm_keyval = MPI_KEYVAL_INVALID", "*comm_keyval = MPI_TAG_UB",
                             "*comm_keyval = made_type_keyval()"],
    "MPI_Keyval_free": ["*keyval = kept_keyval()", "*keyval = freed_keyval()",
                        "*keyval = MPI_KEYVAL_INVALID", "*keyval = MPI_TAG_UB"],
    "MPI_Type_free_keyval": ["*type_keyval = freed_type_keyval()",
                             "*type_keyval = MPI_KEYVAL_INVALID", "*type_keyval = MPI_TAG_UB",
                             "*type_keyval = new_keyval()"],
    "MPI_Info_get_string": ["*buflen = 0", "*buflen = 1", "*buflen = 3", "*buflen = -1",
                            "*buflen = 0; value = NULL"],
    "MPI_Info_get_nthkey": ["n = 1"],
    "MPI_Session_get_nth_pset": ["n = 1", "n = 100", "*pset_len = 0", "*pset_len = 3",
                                 "*pset_len = -1", "*pset_len = 0; pset_name = NULL"],
    "MPI_Graph_create": ["nnodes = 0; index = NULL; edges = NULL"],
    "MPI_Cart_create": ["ndims = 0; dims = NULL; periods = NULL", "comm_old = cart()"],
    "MPI_Cart_map": ["ndims = 0; dims = NULL; periods = NULL"],
    "MPI_Cart_rank": ["comm = ring()", "comm = ring(); coords_v[0] = 5",
                      "comm = ring(); coords_v[0] = -5"],
    "MPI_Group_range_incl": ["ranges_v[0][1] = 1", "ranges_v[0][0] = -1", "ranges_v[0][2] = 0",
                             "ranges_v[0][2] = -1", "n = 0; ranges = NULL"],
    "MPI_Group_incl": ["n = 0; ranks = NULL", "n = 2; ranks_v[1] = 0"],
    "MPI_Group_excl": ["n = 0; ranks = NULL", "n = 2; ranks_v[1] = 0"],
    "MPI_Group_translate_ranks": ["n = 0; ranks1 = NULL; ranks2 = NULL"],
    "MPI_Type_create_struct": ["count = 0; array_of_blocklengths = NULL; "
                               "array_of_displacements = NULL; array_of_types = NULL"],
    "MPI_Type_indexed": ["count = 0; array_of_blocklengths = NULL; "
                         "array_of_displacements = NULL"],
    "MPI_Type_get_extent": ["datatype = MPI_CHAR", "datatype = MPI_LONG_DOUBLE",
                            "datatype = MPI_SHORT_INT", "datatype = MPI_LONG_DOUBLE_INT"],
    "MPI_Pack": ["*position = 60", "*position = 64", "*position = -1", "*position = 100"],
    "MPI_Unpack": ["*position = 60", "*position = 64", "*position = -1", "*position = 100"],
    "MPI_Sendrecv": ["sendcount = 2; recvcount = 1", "recvbuf = (void *)sendbuf"],
    "MPI_Allreduce": ["recvbuf = (void *)sendbuf"],
    "MPI_Reduce": ["recvbuf = (void *)sendbuf"],
    "MPI_Bcast": [],
    "MPI_Alloc_mem": ["size = 0", "size = -1"],
    "MPI_Wait": ["*request = null_process_persistent()"],
    # Detached before: there is nothing to detach.
    "MPI_Buffer_detach": ["MPI_Buffer_detach(&left, &left_size)"],
}
MORE["MPI_Group_range_excl"] = MORE["MPI_Group_range_incl"]

# C statements before the edge is set.
BEFORE = {
    "MPI_Dims_create": "dims_v[0] = dims_v[1] = 0;",
    "MPI_Comm_get_attr": "MPI_Comm_set_attr(MPI_COMM_WORLD, made_keyval(), in_data);",
    "MPI_Comm_delete_attr": "MPI_Comm_set_attr(MPI_COMM_WORLD, made_keyval(), in_data);",
    "MPI_Attr_delete": "MPI_Comm_set_attr(MPI_COMM_WORLD, made_keyval(), in_data);",
    "MPI_Type_get_attr": "MPI_Type_set_attr(MPI_INT, made_type_keyval(), in_data);",
    "MPI_Type_delete_attr": "MPI_Type_set_attr(MPI_INT, made_type_keyval(), in_data);",
    **dict.fromkeys(["MPI_Pack", "MPI_Pack_external", "MPI_Unpack", "MPI_Unpack_external"],
                    "*position = 0;"),
    "MPI_Info_get_string": "*buflen = 10;",
    "MPI_Session_get_nth_pset": "*pset_len = 100;",
    "MPI_Keyval_free": "*keyval = new_keyval();",
    "MPI_Comm_free_keyval": "*comm_keyval = new_keyval();",
    "MPI_Type_free_keyval": "*type_keyval = new_type_keyval();",
    "MPI_Buffer_detach": "MPI_Buffer_attach(out_data, 9000);",
    "MPI_Comm_detach_buffer": "MPI_Comm_attach_buffer(MPI_COMM_WORLD, out_data, 9000);",
    "MPI_Session_detach_buffer": "MPI_Session_attach_buffer(open_session(), out_data, 9000);",
}
# C statements between the edge and the call: a message to receive, or a receive to send to.
READY = {
    **dict.fromkeys(["MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend", "MPI_Isend", "MPI_Ibsend",
                     "MPI_Issend", "MPI_Irsend"], "receive_on(MPI_ANY_TAG, comm);"),
    **dict.fromkeys(["MPI_Recv", "MPI_Irecv"], "feed(count, source, tag, comm);"),
    **dict.fromkeys(["MPI_Probe", "MPI_Iprobe", "MPI_Mprobe", "MPI_Improbe"],
                    "feed(1, source, tag, comm);"),
    **dict.fromkeys(["MPI_Sendrecv", "MPI_Isendrecv"],
                    "feed_both(dest, sendtag, recvcount, source, recvtag, comm);"),
    **dict.fromkeys(["MPI_Sendrecv_replace", "MPI_Isendrecv_replace"],
                    "feed_both(dest, sendtag, count, source, recvtag, comm);"),
}
# And after everything.
AFTER = {
    **dict.fromkeys(["MPI_Buffer_attach", "MPI_Buffer_detach"],
                    "MPI_Buffer_detach(&left, &left_size);"),
    **dict.fromkeys(["MPI_Comm_attach_buffer", "MPI_Comm_detach_buffer"],
                    "MPI_Comm_detach_buffer(MPI_COMM_WORLD, &left, &left_size);"
                    " MPI_Comm_detach_buffer(MPI_COMM_SELF, &left, &left_size);"
                    " MPI_Comm_detach_buffer(cart(), &left, &left_size);"),
    **dict.fromkeys(["MPI_Session_attach_buffer", "MPI_Session_detach_buffer"],
                    "MPI_Session_detach_buffer(open_session(), &left, &left_size);"),
}
# Beside an empty count and a null process every other edge is tried.
EMPTY = ["count", "incount", "outcount", "sendcount", "recvcount", "n", "ndims", "nnodes"]
NOBODY = ["dest", "source"]
