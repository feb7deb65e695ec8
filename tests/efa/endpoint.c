/* Endpoints: packets, reads and writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static uint64_t draw(struct endpoint *ep)
{
    ep->random = ep->random * 6364136223846793005u + 1442695040888963407u;
    return ep->random >> 33;
}

int is_registered(const struct domain *domain, const struct operation *op, const void *desc)
{
    static const uint64_t needed[] = {
        [SEND] = FI_SEND, [RECEIVE] = FI_RECV, [READ] = FI_READ, [WRITE] = FI_WRITE,
    };
    const struct region *r = desc;
    uint64_t at = (uint64_t)(uintptr_t)op->buffer;
    return r && r >= domain->regions && r < domain->regions + REGIONS && r->key != 0
        && (r->access & needed[op->kind]) && r->start <= at
        && at + op->bytes <= r->start + r->bytes;
}

static void complete(struct endpoint *ep, void *context, uint64_t flags, size_t bytes, int error)
{
    struct cq *cq = ep->cq;
    if (cq->count == (int)(sizeof cq->entries / sizeof cq->entries[0])) {
        /* There is no protection: whoever makes its queue too short loses completions. */
        fprintf(stderr, "EFA stand-in: a completion queue was too short\n");
        abort();
    }
    cq->entries[cq->count++] = (struct completion){context, flags, bytes, error};
}

static struct shown *peer_of(struct endpoint *ep, int peer)
{
    struct av *av = ep->av;
    if (!av->peers[peer].shown)
        av->peers[peer].shown = find_shown(ep->domain, av->peers[peer].address);
    return av->peers[peer].shown;
}

static int is_self(const struct endpoint *ep, int peer)
{
    return memcmp(ep->av->peers[peer].address, ep->address, ADDRESS_BYTES) == 0;
}

/* 0, an error for the completion, or -FI_EAGAIN: not yet. */
static int try_send(struct endpoint *ep, const struct operation *op)
{
    const struct settings *s = &ep->domain->settings;
    if (is_self(ep, op->peer)) {
        if (s->lose_own)
            return 0;
    } else {
        if (s->silent_peers)
            return -FI_EAGAIN;
        if (s->no_peers)
            return FI_EHOSTUNREACH;
    }
    struct shown *to = peer_of(ep, op->peer);
    int result = to ? put_packet(to, op->buffer, op->bytes) : -FI_EHOSTUNREACH;
    if (result == -FI_EAGAIN)
        return result;
    if (result == 0) {
        ep->counters[TX_PKTS]++;
        ep->counters[TX_BYTES] += op->bytes;
    }
    if (!is_self(ep, op->peer) && ++ep->peer_sends == (uint64_t)s->send_error)
        return FI_EIO;
    return -result;
}

static int try_rma(struct endpoint *ep, const struct operation *op)
{
    int every = ep->domain->settings.read_error;
    struct shown *peer = peer_of(ep, op->peer);
    int is_spoilt = every && ++ep->transfers % every == 0;
    int error = FI_EHOSTUNREACH;
    if (is_spoilt)
        error = FI_EREMOTEIO;
    else if (peer && !is_gone(peer))
        error = move_memory(peer, ep->address, op);
    ep->counters[op->kind == READ ? READS : WRITES]++;
    ep->counters[op->kind == READ ? READ_ERRORS : WRITE_ERRORS] += error != 0;
    return error;
}

static void receive(struct endpoint *ep)
{
    while (ep->receives > 0) {
        struct operation *op = &ep->receiving[ep->first_receive];
        long bytes = take_packet(ep->shown, draw(ep), op->buffer, op->bytes);
        if (bytes < 0)
            return;
        ep->first_receive = (ep->first_receive + 1) % QUEUE_ENTRIES;
        ep->receives--;
        ep->counters[RX_PKTS]++;
        ep->counters[RX_BYTES] += (uint64_t)bytes;
        int error = (size_t)bytes > op->bytes ? FI_ETRUNC : 0;
        if (++ep->arrivals == (uint64_t)ep->domain->settings.recv_error)
            error = FI_EIO;
        complete(ep, op->context, FI_MSG | FI_RECV, (size_t)bytes, error);
    }
}

/* Completes some of what was begun, in any order. */
void progress(struct endpoint *ep)
{
    receive(ep);
    for (int turns = ep->sends; turns > 0 && ep->sends > 0; turns--) {
        int at = (int)(draw(ep) % ep->sends);
        struct operation *op = &ep->sending[at];
        static const uint64_t flags[] = {
            [SEND] = FI_MSG | FI_SEND, [READ] = FI_RMA | FI_READ, [WRITE] = FI_RMA | FI_WRITE,
        };
        int error = op->kind == SEND ? try_send(ep, op) : try_rma(ep, op);
        if (error == -FI_EAGAIN)
            continue;
        complete(ep, op->context, flags[op->kind], 0, error);
        ep->sending[at] = ep->sending[--ep->sends];
    }
}

static ssize_t ep_recv(struct fid_ep *fid, void *buffer, size_t bytes, void *desc, fi_addr_t from,
                       void *context)
{
    struct endpoint *ep = (struct endpoint *)fid;
    (void)from;
    struct operation op = {
        .kind = RECEIVE, .buffer = buffer, .bytes = bytes, .context = context,
    };
    if (!is_registered(ep->domain, &op, desc))
        return -FI_EINVAL;
    if (ep->receives == QUEUE_ENTRIES)
        return -FI_EAGAIN;
    int at = (ep->first_receive + ep->receives++) % QUEUE_ENTRIES;
    ep->receiving[at] = op;
    return 0;
}

static ssize_t begin(struct endpoint *ep, struct operation op, void *desc)
{
    if (!is_registered(ep->domain, &op, desc) || op.peer >= ep->av->count)
        return -FI_EINVAL;
    if (ep->sends >= ep->domain->settings.queue)
        return -FI_EAGAIN;
    ep->sending[ep->sends++] = op;
    return 0;
}

static ssize_t ep_send(struct fid_ep *fid, const void *buffer, size_t bytes, void *desc,
                       fi_addr_t to, void *context)
{
    if (bytes > PACKET_BYTES)
        return -FI_EMSGSIZE;
    struct operation op = {
        .buffer = (void *)buffer, .bytes = bytes, .peer = (int)to, .context = context,
    };
    return begin((struct endpoint *)fid, op, desc);
}

static ssize_t ep_inject(struct fid_ep *fid, const void *buffer, size_t bytes, fi_addr_t to)
{
    struct endpoint *ep = (struct endpoint *)fid;
    if (bytes > INJECT_BYTES || (int)to >= ep->av->count)
        return -FI_EINVAL;
    struct operation op = {.buffer = (void *)buffer, .bytes = bytes, .peer = (int)to};
    int error = try_send(ep, &op);
    if (error > 0)
        complete(ep, NULL, FI_MSG | FI_SEND, 0, error);
    return error > 0 ? 0 : error;
}

static ssize_t ep_read(struct fid_ep *fid, void *buffer, size_t bytes, void *desc, fi_addr_t from,
                       uint64_t address, uint64_t key, void *context)
{
    struct endpoint *ep = (struct endpoint *)fid;
    if (!ep->domain->settings.reads)
        return -FI_EOPNOTSUPP;
    struct operation op = {
        .kind = READ, .buffer = buffer, .bytes = bytes, .peer = (int)from, .address = address,
        .key = key, .context = context,
    };
    return begin(ep, op, desc);
}

static ssize_t ep_writemsg(struct fid_ep *fid, const struct fi_msg_rma *msg, uint64_t flags)
{
    struct endpoint *ep = (struct endpoint *)fid;
    if (!ep->domain->settings.writes)
        return -FI_EOPNOTSUPP;
    /* A write of which the writer hears before its data is there would not be complete. */
    if (msg->iov_count != 1 || msg->rma_iov_count != 1 || !(flags & FI_COMPLETION)
        || !(flags & FI_DELIVERY_COMPLETE) || msg->rma_iov[0].len != msg->msg_iov[0].iov_len)
        return -FI_EINVAL;
    struct operation op = {
        .kind = WRITE, .buffer = msg->msg_iov[0].iov_base, .bytes = msg->msg_iov[0].iov_len,
        .peer = (int)msg->addr, .address = msg->rma_iov[0].addr, .key = msg->rma_iov[0].key,
        .context = msg->context,
    };
    return begin(ep, op, msg->desc ? msg->desc[0] : NULL);
}

static int ep_getname(fid_t fid, void *address, size_t *bytes)
{
    struct endpoint *ep = (struct endpoint *)fid;
    size_t room = *bytes;
    *bytes = ADDRESS_BYTES;
    if (room < ADDRESS_BYTES)
        return -FI_ETOOSMALL;
    memcpy(address, ep->address, ADDRESS_BYTES);
    return 0;
}

static int ep_bind(struct fid *fid, struct fid *other, uint64_t flags)
{
    struct endpoint *ep = (struct endpoint *)fid;
    (void)flags;
    if (other->fclass == FI_CLASS_AV) {
        ep->av = (struct av *)other;
    } else {
        ep->cq = (struct cq *)other;
        ep->cq->endpoint = ep;
    }
    return 0;
}

/* From now on it has an address. */
static int ep_control(struct fid *fid, int command, void *argument)
{
    struct endpoint *ep = (struct endpoint *)fid;
    (void)argument;
    if (command != FI_ENABLE || !ep->av || !ep->cq)
        return -FI_EOPBADSTATE;
    ep->shown = make_shown(ep->domain, ep->address);
    if (!ep->shown)
        return -FI_EIO;
    ep->domain->endpoint = ep;
    memcpy(&ep->random, ep->address, sizeof ep->random);
    ep->random ^= ep->domain->settings.seed;
    return 0;
}

static int ep_close(struct fid *fid)
{
    struct endpoint *ep = (struct endpoint *)fid;
    if (ep->shown) {
        add_counters(ep->domain, ep->counters);
        close_shown(ep->domain, ep->shown, ep->address);
        ep->domain->endpoint = NULL;
    }
    if (ep->cq)
        ep->cq->endpoint = NULL;
    free(ep);
    return 0;
}

static struct fi_ops ep_fid_ops = {
    .size = sizeof(struct fi_ops), .close = ep_close, .bind = ep_bind, .control = ep_control,
};
static struct fi_ops_ep ep_ops = {.size = sizeof(struct fi_ops_ep)};
static struct fi_ops_cm ep_cm = {.size = sizeof(struct fi_ops_cm), .getname = ep_getname};
static struct fi_ops_msg ep_msg = {
    .size = sizeof(struct fi_ops_msg), .recv = ep_recv, .send = ep_send, .inject = ep_inject,
};
static struct fi_ops_rma ep_rma = {
    .size = sizeof(struct fi_ops_rma), .read = ep_read, .writemsg = ep_writemsg,
};

int open_endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **made,
                  void *context)
{
    struct endpoint *ep = calloc(1, sizeof *ep);
    if (!ep || info->ep_attr->type != FI_EP_RDM)
        return -FI_EINVAL;
    ep->domain = (struct domain *)domain;
    ep->fid = (struct fid_ep){
        .fid = {.fclass = FI_CLASS_EP, .context = context, .ops = &ep_fid_ops},
        .ops = &ep_ops, .cm = &ep_cm, .msg = &ep_msg, .rma = &ep_rma,
    };
    *made = &ep->fid;
    return 0;
}
