/* Objects to call with. Those named freed_ were good once. */
static int copy_attribute(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    return MPI_SUCCESS;
}

static int copy_type_attribute(MPI_Datatype type, int key, void *extra, void *in, void *out,
                               int *flag)
{
    (void)type, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_type_attribute(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    return MPI_SUCCESS;
}

static void on_comm_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    say("handled %d ", *code != 0);
}

static void on_session_error(MPI_Session *session, int *code, ...)
{
    (void)session;
    say("handled %d ", *code != 0);
}

static void on_file_error(MPI_File *file, int *code, ...)
{
    (void)file, (void)code;
}

static void on_win_error(MPI_Win *win, int *code, ...)
{
    (void)win, (void)code;
}

static void combine(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += 100 * ((int *)in)[i];
}

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    status->MPI_SOURCE = 0;
    status->MPI_TAG = 0;
    MPI_Status_set_elements(status, MPI_BYTE, 3);
    return MPI_Status_set_cancelled(status, 0);
}

static int free_extra(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel_it(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static MPI_Comm new_comm(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    return comm;
}

static MPI_Comm freed_comm(void)
{
    MPI_Comm comm = new_comm(), kept = comm;
    MPI_Comm_free(&comm);
    return kept;
}

static MPI_Comm cart(void)
{
    static MPI_Comm comm;
    static int made;
    int dims[2] = {1, 1}, periods[2] = {1, 0};
    if (!made++)
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    return comm;
}

static MPI_Comm ring(void)
{
    static MPI_Comm comm;
    static int made;
    int dims[1] = {1}, periods[1] = {1};
    if (!made++)
        MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    return comm;
}

static MPI_Comm graph(void)
{
    static MPI_Comm comm;
    static int made;
    int index[1] = {1}, edges[1] = {0};
    if (!made++)
        MPI_Graph_create(MPI_COMM_WORLD, 1, index, edges, 0, &comm);
    return comm;
}

static MPI_Comm dist_graph(void)
{
    static MPI_Comm comm;
    static int made;
    int self[1] = {0}, weights[1] = {5};
    if (!made++)
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, self, weights, 1, self, weights,
                                       MPI_INFO_NULL, 0, &comm);
    return comm;
}

static MPI_Group world_group(void)
{
    static MPI_Group made = MPI_GROUP_NULL;
    if (made == MPI_GROUP_NULL)
        MPI_Comm_group(MPI_COMM_WORLD, &made);
    return made;
}

static MPI_Group new_group(void)
{
    MPI_Group made;
    MPI_Comm_group(MPI_COMM_WORLD, &made);
    return made;
}

static MPI_Group freed_group(void)
{
    int zero = 0;
    MPI_Group made, kept;
    MPI_Group_incl(world_group(), 1, &zero, &made);
    kept = made;
    MPI_Group_free(&made);
    return kept;
}

static MPI_Datatype new_type(void)
{
    MPI_Datatype type;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

static MPI_Datatype freed_type(void)
{
    MPI_Datatype type = new_type(), kept = type;
    MPI_Type_free(&type);
    return kept;
}

static MPI_Datatype uncommitted(void)
{
    static MPI_Datatype type = MPI_DATATYPE_NULL;
    if (type == MPI_DATATYPE_NULL)
        MPI_Type_contiguous(1, MPI_INT, &type);
    return type;
}

static MPI_Datatype empty_type(void)
{
    static MPI_Datatype type = MPI_DATATYPE_NULL;
    if (type == MPI_DATATYPE_NULL) {
        MPI_Type_contiguous(0, MPI_INT, &type);
        MPI_Type_commit(&type);
    }
    return type;
}

static MPI_Datatype vector_type(void)
{
    static MPI_Datatype type = MPI_DATATYPE_NULL;
    if (type == MPI_DATATYPE_NULL)
        type = new_type();
    return type;
}

static MPI_Op new_op(void)
{
    MPI_Op op;
    MPI_Op_create(combine, 1, &op);
    return op;
}

static MPI_Op user_op(void)
{
    static MPI_Op op = MPI_OP_NULL;
    if (op == MPI_OP_NULL)
        op = new_op();
    return op;
}

static MPI_Op freed_op(void)
{
    MPI_Op op = new_op(), kept = op;
    MPI_Op_free(&op);
    return kept;
}

static MPI_Info new_info(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour", "blue");
    return info;
}

static MPI_Info info_object(void)
{
    static MPI_Info info = MPI_INFO_NULL;
    if (info == MPI_INFO_NULL)
        info = new_info();
    MPI_Info_set(info, "colour", "blue");
    return info;
}

static MPI_Info freed_info(void)
{
    MPI_Info info = new_info(), kept = info;
    MPI_Info_free(&info);
    return kept;
}

static MPI_Errhandler comm_errhandler(void)
{
    static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (handler == MPI_ERRHANDLER_NULL)
        MPI_Comm_create_errhandler(on_comm_error, &handler);
    return handler;
}

static MPI_Errhandler new_errhandler(void)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_comm_error, &handler);
    return handler;
}

static MPI_Errhandler session_errhandler(void)
{
    static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (handler == MPI_ERRHANDLER_NULL)
        MPI_Session_create_errhandler(on_session_error, &handler);
    return handler;
}

static MPI_Errhandler file_errhandler(void)
{
    static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (handler == MPI_ERRHANDLER_NULL)
        MPI_File_create_errhandler(on_file_error, &handler);
    return handler;
}

static MPI_Errhandler freed_errhandler(void)
{
    MPI_Errhandler handler = new_errhandler(), kept = handler;
    MPI_Errhandler_free(&handler);
    return kept;
}

static int session_in_use;

static MPI_Session open_session(void)
{
    static MPI_Session made = MPI_SESSION_NULL;
    session_in_use = 1;
    if (made == MPI_SESSION_NULL)
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    return made;
}

static MPI_Session new_session(void)
{
    MPI_Session made = MPI_SESSION_NULL;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    return made;
}

static MPI_Session freed_session(void)
{
    MPI_Session made = new_session(), kept = made;
    MPI_Session_finalize(&made);
    return kept;
}

static int new_keyval(void)
{
    int key;
    MPI_Comm_create_keyval(copy_attribute, delete_attribute, &key, NULL);
    return key;
}

static int made_keyval(void)
{
    static int key, made;
    if (!made++)
        key = new_keyval();
    return key;
}

static int freed_keyval(void)
{
    int key = new_keyval(), kept = key;
    MPI_Comm_free_keyval(&key);
    return kept;
}

/* Freed by the program; an attribute still uses it. */
static int kept_keyval(void)
{
    int key = new_keyval(), kept = key;
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &in_data[0]);
    MPI_Comm_free_keyval(&key);
    return kept;
}

static int new_type_keyval(void)
{
    int key;
    MPI_Type_create_keyval(copy_type_attribute, delete_type_attribute, &key, NULL);
    return key;
}

static int made_type_keyval(void)
{
    static int key, made;
    if (!made++)
        key = new_type_keyval();
    return key;
}

static int freed_type_keyval(void)
{
    int key = new_type_keyval(), kept = key;
    MPI_Type_free_keyval(&key);
    return kept;
}

/* New ones each time: some calls take them away. */
static int made_class(void)
{
    int class;
    MPI_Add_error_class(&class);
    return class;
}

static int made_code(void)
{
    int code;
    MPI_Add_error_code(made_class(), &code);
    return code;
}

/* Messages from this process to itself, in both orders. */
static MPI_Request left_over[8];
static int left_overs;

static MPI_Request receive_something(void)
{
    static char room[BYTES];
    MPI_Request request;
    MPI_Irecv(room, BYTES, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    return request;
}

static MPI_Request send_something(void)
{
    static int four = 4;
    MPI_Request request;
    MPI_Isend(&four, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
    return request;
}

/* So that a receive with these arguments ends. */
static void feed(long long count, int source, int tag, MPI_Comm comm)
{
    static int four = 4;
    int sent = tag == MPI_ANY_TAG ? 7 : tag;
    if (comm == MPI_COMM_NULL || (source != 0 && source != MPI_ANY_SOURCE) || sent < 0)
        return;
    if (MPI_Isend(&four, count > 0, MPI_INT, 0, sent, comm, &left_over[left_overs]) == MPI_SUCCESS)
        left_overs++;
}

/* So that a send ends. */
static void receive_on(int tag, MPI_Comm comm)
{
    static char room[BYTES];
    if (comm == MPI_COMM_NULL)
        return;
    if (MPI_Irecv(room, BYTES, MPI_BYTE, MPI_ANY_SOURCE, tag, comm,
                  &left_over[left_overs]) == MPI_SUCCESS)
        left_overs++;
}

/* So that both halves of a send beside a receive end, where they do not meet each other. */
static void feed_both(int dest, int sendtag, long long count, int source, int tag, MPI_Comm comm)
{
    int meet = dest == 0 && (source == 0 || source == MPI_ANY_SOURCE) &&
               (sendtag == tag || tag == MPI_ANY_TAG);
    if (meet)
        return;
    feed(count, source, tag, comm);
    if (dest == 0 && sendtag >= 0)
        receive_on(sendtag, comm);
}

static void expect_a_receive(void)
{
    left_over[left_overs++] = send_something();
}

static MPI_Request done_request(void)
{
    MPI_Request request = receive_something();
    expect_a_receive();
    return request;
}

static MPI_Request persistent(void)
{
    static int value;
    MPI_Request request;
    MPI_Recv_init(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
    return request;
}

static MPI_Request null_process_persistent(void)
{
    static int value;
    MPI_Request request;
    MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &request);
    return request;
}

static MPI_Request freed_request(void)
{
    MPI_Request request = null_process_persistent(), kept = request;
    MPI_Request_free(&request);
    return kept;
}

static MPI_Request partitioned_send(void)
{
    MPI_Request request;
    MPI_Psend_init(in_data, 2, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &request);
    MPI_Start(&request);
    return request;
}

static MPI_Request partitioned_receive(void)
{
    MPI_Request request;
    MPI_Precv_init(out_data, 2, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &request);
    MPI_Start(&request);
    return request;
}

static MPI_Request generalized(void)
{
    MPI_Request request;
    MPI_Grequest_start(query, free_extra, cancel_it, NULL, &request);
    return request;
}

static MPI_Message matched(void)
{
    MPI_Message message;
    expect_a_receive();
    MPI_Mprobe(0, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    return message;
}

static MPI_Status some_status(void)
{
    MPI_Status status;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = 0;
    status.MPI_TAG = 7;
    MPI_Status_set_elements(&status, MPI_INT, 3);
    MPI_Status_set_cancelled(&status, 0);
    return status;
}

static char *long_text(int length)
{
    static char text[20000];
    memset(text, 'x', sizeof text);
    text[length] = 0;
    return text;
}

/* Ends a request that a call made. */
static int ended(MPI_Request *request, MPI_Status *status)
{
    if (*request == MPI_REQUEST_NULL) {
        say(" request=null");
        return 0;
    }
    return also("wait", MPI_Wait(request, status));
}

/* The status of a send or a collective says nothing. */
static void wait_for(MPI_Request *request)
{
    ended(request, MPI_STATUS_IGNORE);
}

static void wait_and_show(MPI_Request *request)
{
    MPI_Status status;
    if (ended(request, &status))
        show_status("status", &status);
}

static void free_request(MPI_Request *request)
{
    if (*request == MPI_REQUEST_NULL)
        say(" request=null");
    else
        also("free", MPI_Request_free(request));
}

/* Receives what was sent to this process and nobody took. */
static void drain(MPI_Comm comm)
{
    int flag = 1;
    for (int i = 0; i < 100 && flag; i++) {
        MPI_Status status;
        flag = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
        if (flag)
            MPI_Recv(out_data, BYTES, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm,
                     MPI_STATUS_IGNORE);
    }
}

/* What a case may have left behind: messages, receives, error handlers. */
static void clean_up(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (session_in_use)
        MPI_Session_set_errhandler(open_session(), MPI_ERRORS_RETURN);
    for (int i = 0; i < left_overs; i++) {
        int flag = 0;
        MPI_Test(&left_over[i], &flag, MPI_STATUS_IGNORE);
        if (flag)
            continue;
        MPI_Cancel(&left_over[i]);
        for (int j = 0; j < 1000 && !flag; j++)
            MPI_Test(&left_over[i], &flag, MPI_STATUS_IGNORE);
    }
    left_overs = 0;
    drain(MPI_COMM_WORLD);
    drain(MPI_COMM_SELF);
    drain(cart());
}

