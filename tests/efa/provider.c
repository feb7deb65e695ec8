/* What libfabric calls first: what the devices offer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/providers/fi_prov.h>

#include "device.h"

enum { NEEDED_MR = FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR };
static const char fabric_name[] = "efa-direct";

/* Whether the device is what is asked for. */
static int fits(const struct fi_info *hints, const struct settings *settings)
{
    if (!hints)
        return 1;
    uint64_t caps = FI_MSG | FI_SEND | FI_RECV | FI_SOURCE;
    if (settings->reads)
        caps |= FI_RMA | FI_READ | FI_REMOTE_READ;
    if (settings->reads && settings->writes)
        caps |= FI_WRITE | FI_REMOTE_WRITE;
    if ((hints->caps & ~caps) || !(hints->mode & FI_CONTEXT2))
        return 0;
    if (hints->ep_attr && hints->ep_attr->type != FI_EP_UNSPEC && hints->ep_attr->type != FI_EP_RDM)
        return 0;
    if (hints->domain_attr && (hints->domain_attr->mr_mode & NEEDED_MR) != NEEDED_MR)
        return 0;
    const char *name = hints->fabric_attr ? hints->fabric_attr->name : NULL;
    return !name || strcmp(name, fabric_name) == 0;
}

static struct fi_info *describe(const struct fi_info *hints, const char *device)
{
    struct fi_info *info = calloc(1, sizeof *info);
    struct fi_tx_attr *tx = calloc(1, sizeof *tx);
    struct fi_rx_attr *rx = calloc(1, sizeof *rx);
    struct fi_ep_attr *ep = calloc(1, sizeof *ep);
    struct fi_domain_attr *domain = calloc(1, sizeof *domain);
    struct fi_fabric_attr *fabric = calloc(1, sizeof *fabric);
    if (!info || !tx || !rx || !ep || !domain || !fabric)
        abort();
    uint64_t all = FI_RMA | FI_READ | FI_REMOTE_READ | FI_WRITE | FI_REMOTE_WRITE;
    uint64_t rma = hints ? hints->caps & all : 0;
    *tx = (struct fi_tx_attr){
        .inject_size = INJECT_BYTES, .size = QUEUE_ENTRIES, .iov_limit = 2, .rma_iov_limit = 1,
    };
    *rx = (struct fi_rx_attr){.size = QUEUE_ENTRIES, .iov_limit = 2};
    *ep = (struct fi_ep_attr){
        .type = FI_EP_RDM, .max_msg_size = rma ? READ_BYTES_MAX : PACKET_BYTES,
        .tx_ctx_cnt = 1, .rx_ctx_cnt = 1,
    };
    char name[300];
    snprintf(name, sizeof name, "%s-rdm", device);
    *domain = (struct fi_domain_attr){
        .name = strdup(name), .threading = FI_THREAD_DOMAIN, .av_type = FI_AV_TABLE,
        .control_progress = FI_PROGRESS_AUTO, .data_progress = FI_PROGRESS_AUTO,
        .mr_mode = NEEDED_MR, .mr_key_size = 4, .mr_cnt = REGIONS, .cq_data_size = 4,
    };
    fabric->name = strdup(fabric_name);
    *info = (struct fi_info){
        .caps = FI_MSG | FI_SEND | FI_RECV | rma, .mode = FI_CONTEXT2, .tx_attr = tx,
        .rx_attr = rx, .ep_attr = ep, .domain_attr = domain, .fabric_attr = fabric,
    };
    return info;
}

static int getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
                   const struct fi_info *hints, struct fi_info **found)
{
    struct settings settings = read_settings();
    struct fi_info **next = found;
    char path[300];
    (void)version, (void)node, (void)service, (void)flags;
    *found = NULL;
    snprintf(path, sizeof path, "%s/class", settings.dir);
    DIR *devices = fits(hints, &settings) ? opendir(path) : NULL;
    if (!devices)
        return -FI_ENODATA;
    for (struct dirent *device; (device = readdir(devices));) {
        if (device->d_name[0] == '.')
            continue;
        *next = describe(hints, device->d_name);
        next = &(*next)->next;
    }
    closedir(devices);
    return *found ? 0 : -FI_ENODATA;
}

static void cleanup(void)
{
}

/* Newer than any that libfabric itself has, so that it goes before those. */
static struct fi_provider provider = {
    .version = FI_VERSION(999, 0), .fi_version = FI_VERSION(1, 17), .name = "efa",
    .getinfo = getinfo, .fabric = open_fabric, .cleanup = cleanup,
};

struct fi_provider *fi_prov_ini(void);
__attribute__((visibility("default"))) struct fi_provider *fi_prov_ini(void)
{
    return &provider;
}
