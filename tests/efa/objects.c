/* Fabric, domain, registrations, address vector, completion queue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static int plain_close(struct fid *fid)
{
    free(fid);
    return 0;
}

static int no_bind(struct fid *fid, struct fid *other, uint64_t flags)
{
    (void)fid, (void)other, (void)flags;
    return -FI_ENOSYS;
}

static int no_control(struct fid *fid, int command, void *argument)
{
    (void)fid, (void)command, (void)argument;
    return -FI_ENOSYS;
}

struct fi_ops plain_ops = {
    .size = sizeof(struct fi_ops), .close = plain_close, .bind = no_bind, .control = no_control,
};

/* Registrations. The descriptor is the domain's entry, the key is drawn by the device. */
struct memory {
    struct fid_mr fid;
    struct domain *domain;
    struct region *own;
};

static void show(struct domain *domain, const struct region *region, uint64_t key)
{
    struct shown *shown = domain->endpoint ? domain->endpoint->shown : NULL;
    if (!shown)
        return;
    lock(shown);
    shown->regions[region - domain->regions] = *region;
    shown->regions[region - domain->regions].key = key;
    unlock(shown);
}

static int mr_close(struct fid *fid)
{
    struct memory *memory = (struct memory *)fid;
    show(memory->domain, memory->own, 0);
    memory->own->key = 0;
    memory->domain->registrations--;
    free(memory);
    return 0;
}

static struct fi_ops mr_ops = {
    .size = sizeof(struct fi_ops), .close = mr_close, .bind = no_bind, .control = no_control,
};

static int mr_reg(struct fid *fid, const void *start, size_t bytes, uint64_t access,
                  uint64_t offset, uint64_t wanted, uint64_t flags, struct fid_mr **made,
                  void *context)
{
    struct domain *domain = (struct domain *)fid;
    static uint64_t keys = 1000;
    (void)offset, (void)wanted, (void)flags;
    if (domain->registrations >= domain->settings.registrations)
        return -FI_ENOMEM;
    if ((access & FI_REMOTE_READ) && !domain->settings.reads)
        return -FI_EOPNOTSUPP;
    if ((access & FI_REMOTE_WRITE) && !(domain->settings.reads && domain->settings.writes))
        return -FI_EOPNOTSUPP;
    struct region *own = domain->regions;
    while (own->key != 0)
        own++;
    struct memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return -FI_ENOMEM;
    *own = (struct region){++keys, (uint64_t)(uintptr_t)start, bytes, access};
    domain->registrations++;
    memory->domain = domain;
    memory->own = own;
    memory->fid = (struct fid_mr){
        .fid = {.fclass = FI_CLASS_MR, .context = context, .ops = &mr_ops},
        .mem_desc = own, .key = own->key,
    };
    show(domain, own, own->key);
    *made = &memory->fid;
    return 0;
}

static int av_insert(struct fid_av *fid, const void *addresses, size_t count, fi_addr_t *made,
                     uint64_t flags, void *context)
{
    struct av *av = (struct av *)fid;
    struct shown *shown = av->domain->endpoint ? av->domain->endpoint->shown : NULL;
    (void)flags, (void)context;
    for (size_t i = 0; i < count; i++) {
        if (av->count == PEERS)
            return -FI_ENOMEM;
        const uint8_t *address = (const uint8_t *)addresses + i * ADDRESS_BYTES;
        memcpy(av->peers[av->count].address, address, ADDRESS_BYTES);
        if (shown) {
            lock(shown);
            memcpy(shown->peers[shown->known++], address, ADDRESS_BYTES);
            unlock(shown);
        }
        made[i] = (fi_addr_t)av->count++;
    }
    return (int)count;
}

static struct fi_ops_av av_ops = {.size = sizeof(struct fi_ops_av), .insert = av_insert};

static int open_av(struct fid_domain *domain, struct fi_av_attr *attr, struct fid_av **made,
                   void *context)
{
    struct av *av = calloc(1, sizeof *av);
    if (!av || attr->type != FI_AV_TABLE)
        return -FI_EINVAL;
    av->domain = (struct domain *)domain;
    av->fid = (struct fid_av){
        .fid = {.fclass = FI_CLASS_AV, .context = context, .ops = &plain_ops}, .ops = &av_ops,
    };
    *made = &av->fid;
    return 0;
}

/* Errors are read by themselves, after the completions before them. */
static ssize_t cq_read(struct fid_cq *fid, void *into, size_t count)
{
    struct cq *cq = (struct cq *)fid;
    struct fi_cq_msg_entry *entries = into;
    size_t taken = 0;
    /* As on EFA: who takes nothing makes no progress. */
    if (cq->endpoint && count > 0)
        progress(cq->endpoint);
    while (taken < count && (int)taken < cq->count && cq->entries[taken].error == 0) {
        const struct completion *one = &cq->entries[taken];
        entries[taken++] = (struct fi_cq_msg_entry){one->context, one->flags, one->bytes};
    }
    if (taken == 0)
        return cq->count > 0 ? -FI_EAVAIL : -FI_EAGAIN;
    cq->count -= (int)taken;
    memmove(cq->entries, cq->entries + taken, (size_t)cq->count * sizeof cq->entries[0]);
    return (ssize_t)taken;
}

static ssize_t cq_readerr(struct fid_cq *fid, struct fi_cq_err_entry *entry, uint64_t flags)
{
    struct cq *cq = (struct cq *)fid;
    (void)flags;
    if (cq->count == 0 || cq->entries[0].error == 0)
        return -FI_EAGAIN;
    const struct completion *one = &cq->entries[0];
    entry->op_context = one->context;
    entry->flags = one->flags;
    entry->err = one->error;
    cq->count--;
    memmove(cq->entries, cq->entries + 1, (size_t)cq->count * sizeof cq->entries[0]);
    return 1;
}

static struct fi_ops_cq cq_ops = {
    .size = sizeof(struct fi_ops_cq), .read = cq_read, .readerr = cq_readerr,
};

static int open_cq(struct fid_domain *domain, struct fi_cq_attr *attr, struct fid_cq **made,
                   void *context)
{
    struct cq *cq = calloc(1, sizeof *cq);
    (void)domain;
    if (!cq || attr->format != FI_CQ_FORMAT_MSG || attr->wait_obj != FI_WAIT_NONE)
        return -FI_EINVAL;
    cq->fid = (struct fid_cq){
        .fid = {.fclass = FI_CLASS_CQ, .context = context, .ops = &plain_ops}, .ops = &cq_ops,
    };
    *made = &cq->fid;
    return 0;
}

static struct fi_ops_domain domain_ops = {
    .size = sizeof(struct fi_ops_domain), .av_open = open_av, .cq_open = open_cq,
    .endpoint = open_endpoint,
};
static struct fi_ops_mr domain_mr = {.size = sizeof(struct fi_ops_mr), .reg = mr_reg};

static int open_domain(struct fid_fabric *fabric, struct fi_info *info, struct fid_domain **made,
                       void *context)
{
    struct settings settings = read_settings();
    struct domain *domain = settings.no_domain ? NULL : calloc(1, sizeof *domain);
    (void)fabric;
    if (!domain)
        return -FI_EACCES;
    domain->settings = settings;
    snprintf(domain->device, sizeof domain->device, "%.*s",
             (int)strcspn(info->domain_attr->name, "-"), info->domain_attr->name);
    domain->fid = (struct fid_domain){
        .fid = {.fclass = FI_CLASS_DOMAIN, .context = context, .ops = &plain_ops},
        .ops = &domain_ops, .mr = &domain_mr,
    };
    *made = &domain->fid;
    return 0;
}

static struct fi_ops_fabric fabric_ops = {
    .size = sizeof(struct fi_ops_fabric), .domain = open_domain,
};

int open_fabric(struct fi_fabric_attr *attr, struct fid_fabric **made, void *context)
{
    struct fid_fabric *fabric = calloc(1, sizeof *fabric);
    (void)attr;
    if (!fabric)
        return -FI_ENOMEM;
    *fabric = (struct fid_fabric){
        .fid = {.fclass = FI_CLASS_FABRIC, .context = context, .ops = &plain_ops},
        .ops = &fabric_ops,
    };
    *made = fabric;
    return 0;
}
