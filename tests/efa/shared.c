/* What endpoints show each other: a file for each, which peers map. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include "device.h"

static const char *counter_names[COUNTERS] = {
    "tx_pkts", "tx_bytes", "rx_pkts", "rx_bytes", "rdma_read_wrs", "rdma_read_wr_err",
    "rdma_write_wrs", "rdma_write_wr_err",
};

static int number_of(const char *text, const char *name, int usual)
{
    char word[40];
    snprintf(word, sizeof word, ",%s=", name);
    const char *at = strstr(text, word);
    return at ? atoi(at + strlen(word)) : usual;
}

struct settings read_settings(void)
{
    const char *given = getenv("EFA_STANDIN");
    char text[600];
    snprintf(text, sizeof text, ",%s", given ? given : "");
    struct settings s = {
        .seed = number_of(text, "seed", 1),
        .reads = number_of(text, "reads", 1),
        .writes = number_of(text, "writes", 1),
        .registrations = number_of(text, "registrations", REGIONS),
        .queue = number_of(text, "queue", QUEUE_ENTRIES),
        .no_domain = number_of(text, "no_domain", 0),
        .lose_own = number_of(text, "lose_own", 0),
        .no_peers = number_of(text, "no_peers", 0),
        .silent_peers = number_of(text, "silent_peers", 0),
        .send_error = number_of(text, "send_error", 0),
        .recv_error = number_of(text, "recv_error", 0),
        .read_error = number_of(text, "read_error", 0),
    };
    const char *dir = strstr(text, ",dir=");
    if (dir)
        snprintf(s.dir, sizeof s.dir, "%.*s", (int)strcspn(dir + 5, ","), dir + 5);
    return s;
}

static void path_of(const struct domain *domain, const uint8_t *address, char path[300])
{
    int at = snprintf(path, 300, "%s/", domain->settings.dir);
    for (int i = 0; i < 16; i++)
        at += snprintf(path + at, 300 - at, "%02x", address[i]);
}

static struct shown *map(int file)
{
    void *at = mmap(NULL, sizeof(struct shown), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return at == MAP_FAILED ? NULL : at;
}

struct shown *make_shown(struct domain *domain, uint8_t *address)
{
    char path[300];
    memset(address, 0, ADDRESS_BYTES);
    if (getrandom(address, 16, 0) != 16)
        return NULL;
    path_of(domain, address, path);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof(struct shown)) != 0)
        return NULL;
    struct shown *shown = map(file);
    if (!shown)
        return NULL;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&shown->lock, &attr);
    shown->pid = getpid();
    shown->free = SLOTS;
    for (int i = 0; i < SLOTS; i++)
        shown->unused[i] = (uint16_t)i;
    return shown;
}

struct shown *find_shown(struct domain *domain, const uint8_t *address)
{
    char path[300];
    path_of(domain, address, path);
    int file = open(path, O_RDWR | O_CLOEXEC);
    return file < 0 ? NULL : map(file);
}

void close_shown(struct domain *domain, struct shown *shown, const uint8_t *address)
{
    char path[300];
    path_of(domain, address, path);
    lock(shown);
    shown->is_closed = 1;
    unlock(shown);
    unlink(path);
    munmap(shown, sizeof *shown);
}

void lock(struct shown *shown)
{
    /* Who held it has died in between: what it wrote last is a packet of nobody. */
    if (pthread_mutex_lock(&shown->lock) == EOWNERDEAD)
        pthread_mutex_consistent(&shown->lock);
}

void unlock(struct shown *shown)
{
    pthread_mutex_unlock(&shown->lock);
}

int is_gone(const struct shown *shown)
{
    return shown->is_closed || (kill(shown->pid, 0) != 0 && errno == ESRCH);
}

int put_packet(struct shown *to, const void *data, size_t bytes)
{
    if (is_gone(to))
        return -FI_EHOSTUNREACH;
    lock(to);
    int result = -FI_EAGAIN;
    if (to->free > 0) {
        uint16_t slot = to->unused[--to->free];
        to->slots[slot].bytes = (uint32_t)bytes;
        memcpy(to->slots[slot].data, data, bytes);
        to->arrived[(to->first + to->waiting) % (2 * SLOTS)] = slot;
        __atomic_store_n(&to->waiting, to->waiting + 1, __ATOMIC_RELEASE);
        result = 0;
    }
    unlock(to);
    return result;
}

long take_packet(struct shown *own, uint64_t random, void *into, size_t room)
{
    if (__atomic_load_n(&own->waiting, __ATOMIC_ACQUIRE) == 0)
        return -1;
    lock(own);
    int among = own->waiting < SHUFFLED ? own->waiting : SHUFFLED;
    int drawn = (own->first + (int)(random % among)) % (2 * SLOTS);
    uint16_t slot = own->arrived[drawn];
    own->arrived[drawn] = own->arrived[own->first];
    own->first = (own->first + 1) % (2 * SLOTS);
    own->waiting--;
    long bytes = own->slots[slot].bytes;
    memcpy(into, own->slots[slot].data, (size_t)bytes < room ? (size_t)bytes : room);
    own->unused[own->free++] = slot;
    unlock(own);
    return bytes;
}

int move_memory(struct shown *peer, const uint8_t *own_address, const struct operation *op)
{
    uint64_t needed = op->kind == READ ? FI_REMOTE_READ : FI_REMOTE_WRITE;
    int is_known = 0, is_shown = 0;
    lock(peer);
    for (int i = 0; i < peer->known; i++)
        is_known |= memcmp(peer->peers[i], own_address, ADDRESS_BYTES) == 0;
    for (int i = 0; i < REGIONS; i++) {
        const struct region *r = &peer->regions[i];
        is_shown |= op->key != 0 && r->key == op->key && (r->access & needed)
            && r->start <= op->address && op->address + op->bytes <= r->start + r->bytes;
    }
    unlock(peer);
    if (!is_known || !is_shown)
        return FI_EREMOTEIO;
    struct iovec here = {op->buffer, op->bytes};
    struct iovec there = {(void *)(uintptr_t)op->address, op->bytes};
    ssize_t count = op->kind == READ ? process_vm_readv(peer->pid, &here, 1, &there, 1, 0)
                                     : process_vm_writev(peer->pid, &here, 1, &there, 1, 0);
    return count == (ssize_t)op->bytes ? 0 : FI_EREMOTEIO;
}

/* The files of hw_counters hold what endpoints have counted that are closed. */
void add_counters(const struct domain *domain, const uint64_t counters[COUNTERS])
{
    for (int i = 0; i < COUNTERS; i++) {
        char path[500], text[32] = "";
        snprintf(path, sizeof path, "%s/class/%s/ports/1/hw_counters/%s", domain->settings.dir,
                 domain->device, counter_names[i]);
        int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0 || flock(file, LOCK_EX) != 0)
            continue;
        ssize_t got = pread(file, text, sizeof text - 1, 0);
        uint64_t sum = counters[i] + (got > 0 ? strtoull(text, NULL, 10) : 0);
        int bytes = snprintf(text, sizeof text, "%llu\n", (unsigned long long)sum);
        if (pwrite(file, text, (size_t)bytes, 0) != bytes)
            perror(path);
        close(file);
    }
}
