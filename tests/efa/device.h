/* A stand-in for Amazon's EFA device, as a provider that libfabric loads (FI_PROVIDER_PATH): what
 * its documentation says of SRD, where no such device is. Packets arrive, each once, in any order,
 * and are at most 8,928 bytes long; there are no tags; all memory that is touched must be
 * registered, of which there is a limited number; a queue that is full refuses more; a peer's
 * memory can be read and written, or read, or neither.
 *
 * Each endpoint is a file that its peers map: slots for packets that have arrived, and what may be
 * read of its memory. So packets arrive without the receiver's help, as with a device, also between
 * network namespaces of one machine. EFA_STANDIN says where, and what goes wrong, as in
 * "dir=/tmp/x,seed=1,queue=3".
 */
#ifndef DEVICE_H
#define DEVICE_H

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_errno.h>

enum {
    ADDRESS_BYTES = 32,     /* as struct efa_ep_addr */
    PACKET_BYTES = 8928,
    INJECT_BYTES = 32,
    QUEUE_ENTRIES = 768,    /* what the device says, and what it has unless a setting says less */
    SLOTS = 1024,           /* packets that have arrived and not been taken */
    SHUFFLED = 16,          /* of so many the next one to be taken is drawn */
    REGIONS = 4096,
    PEERS = 512,
    READ_BYTES_MAX = 1 << 30,
};

/* What the device counts, by the names of its driver (shared.c). */
enum { TX_PKTS, TX_BYTES, RX_PKTS, RX_BYTES, READS, READ_ERRORS, WRITES, WRITE_ERRORS, COUNTERS };

/* EFA_STANDIN. Numbers that count operations are 0 where nothing goes wrong. */
struct settings {
    char dir[200];
    unsigned seed;
    int reads;              /* a peer's memory can be read */
    int writes;             /* and written */
    int registrations;      /* at a time */
    int queue;              /* sends at a time */
    int no_domain;          /* the device cannot be opened */
    int lose_own;           /* packets to oneself do not arrive */
    int no_peers;           /* no other endpoint can be reached */
    int silent_peers;       /* the same, and the device does not even report it */
    int send_error;         /* this send to a peer fails */
    int recv_error;         /* this receive fails */
    int read_error;         /* every so many-th read or write fails */
};
struct settings read_settings(void);

/* Memory that the device knows. */
struct region {
    uint64_t key;           /* 0: none */
    uint64_t start, bytes, access;
};

/* What an endpoint shows its peers. */
struct shown {
    pthread_mutex_t lock;
    pid_t pid;
    int is_closed;
    int waiting;            /* packets that have arrived: numbers of slots from `first` on */
    int first;
    int free;               /* free slots: numbers in `unused` */
    uint16_t arrived[2 * SLOTS], unused[SLOTS];
    struct region regions[REGIONS];
    int known;              /* addresses in the address vector: only those may read */
    uint8_t peers[PEERS][ADDRESS_BYTES];
    struct { uint32_t bytes; uint8_t data[PACKET_BYTES]; } slots[SLOTS];
};

struct completion {
    void *context;
    uint64_t flags;
    size_t bytes;
    int error;
};

struct domain {
    struct fid_domain fid;
    struct settings settings;
    char device[64];
    int registrations;
    struct endpoint *endpoint;
    struct region regions[REGIONS];
};

struct av {
    struct fid_av fid;
    struct domain *domain;
    int count;
    struct { uint8_t address[ADDRESS_BYTES]; struct shown *shown; } peers[PEERS];
};

struct cq {
    struct fid_cq fid;
    struct endpoint *endpoint;
    int count;
    struct completion entries[4 * QUEUE_ENTRIES];
};

enum kind { SEND, RECEIVE, READ, WRITE };

struct operation {
    enum kind kind;
    void *buffer;
    size_t bytes;
    int peer;
    uint64_t address, key;
    void *context;
};

struct endpoint {
    struct fid_ep fid;
    struct domain *domain;
    struct av *av;
    struct cq *cq;
    uint8_t address[ADDRESS_BYTES];
    struct shown *shown;
    uint64_t random;
    int sends;
    struct operation sending[2 * QUEUE_ENTRIES];
    int receives, first_receive;
    struct operation receiving[QUEUE_ENTRIES];
    uint64_t peer_sends, arrivals, transfers;
    uint64_t counters[COUNTERS];
};

/* shared.c */
struct shown *make_shown(struct domain *domain, uint8_t *address);
struct shown *find_shown(struct domain *domain, const uint8_t *address);
void close_shown(struct domain *domain, struct shown *shown, const uint8_t *address);
void lock(struct shown *shown);
void unlock(struct shown *shown);
int is_gone(const struct shown *shown);
/* 0, -FI_EAGAIN where all slots are taken, or -FI_EHOSTUNREACH. */
int put_packet(struct shown *to, const void *data, size_t bytes);
/* Takes one of the packets; its bytes, or -1. */
long take_packet(struct shown *own, uint64_t random, void *into, size_t room);
/* Reads memory of a peer, or writes to it. */
int move_memory(struct shown *peer, const uint8_t *own_address, const struct operation *op);
void add_counters(const struct domain *domain, const uint64_t counters[COUNTERS]);

/* endpoint.c */
int open_endpoint(struct fid_domain *, struct fi_info *, struct fid_ep **, void *);
void progress(struct endpoint *);
int is_registered(const struct domain *, const struct operation *, const void *desc);

/* objects.c */
int open_fabric(struct fi_fabric_attr *, struct fid_fabric **, void *);
extern struct fi_ops plain_ops;

#endif
