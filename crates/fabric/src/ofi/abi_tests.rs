//! Holds our structures to libfabric's headers, with the C compiler.

use std::io::Write;
use std::mem::offset_of;
use std::path::Path;
use std::process::{Command, Stdio};

use super::*;

const HEADERS: &str = "/usr/include/rdma/fi_cm.h";

/// Lines of C that do not compile unless the header has each field where we have it.
macro_rules! fields {
    ($($of:ident: $($field:ident),+;)+) => {{
        let mut lines = String::new();
        $($(
            let (name, at) = (stringify!($field).trim_start_matches("r#"), offset_of!($of, $field));
            let of = stringify!($of);
            lines += &format!("_Static_assert(offsetof(struct {of}, {name}) == {at}, \"\");\n");
        )+)+
        lines
    }};
}

/// The same of constants.
macro_rules! constants {
    ($($name:ident),+ $(,)?) => {{
        let mut lines = String::new();
        $(lines += &format!("_Static_assert({} == {}ULL, \"\");\n", stringify!($name), $name);)+
        lines
    }};
}

fn compiles(text: &str) -> (bool, String) {
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-fsyntax-only", "-xc", "-"]);
    cc.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut cc = cc.spawn().unwrap();
    cc.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let done = cc.wait_with_output().unwrap();
    (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned())
}

fn all_fields() -> String {
    fields! {
        fi_tx_attr: caps, mode, op_flags, msg_order, comp_order, inject_size, size;
        fi_rx_attr: caps, mode, op_flags, msg_order, comp_order, total_buffered_recv, size;
        fi_ep_attr: r#type, protocol, protocol_version, max_msg_size, msg_prefix_size;
        fi_domain_attr: domain, name, threading, control_progress, data_progress, resource_mgmt,
            av_type, mr_mode, mr_key_size;
        fi_fabric_attr: fabric, name, prov_name, prov_version, api_version;
        fi_info: next, caps, mode, addr_format, src_addrlen, dest_addrlen, src_addr, dest_addr,
            handle, tx_attr, rx_attr, ep_attr, domain_attr, fabric_attr;
        fid: fclass, context, ops;
        fi_ops: size, close, bind, control;
        fid_fabric: fid, ops;
        fi_ops_fabric: size, domain;
        fid_domain: fid, ops, mr;
        fi_ops_domain: size, av_open, cq_open, endpoint;
        fi_ops_mr: size, reg;
        fid_mr: fid, mem_desc, key;
        fi_av_attr: r#type, rx_ctx_bits, count, ep_per_node, name, map_addr, flags;
        fid_av: fid, ops;
        fi_ops_av: size, insert;
        fi_cq_attr: size, flags, format, wait_obj, signaling_vector, wait_cond, wait_set;
        fid_cq: fid, ops;
        fi_ops_cq: size, read, readfrom, readerr;
        fi_cq_msg_entry: op_context, flags, len;
        fi_cq_err_entry: op_context, flags, len, buf, data, tag, olen, err, prov_errno, err_data,
            err_data_size;
        fid_ep: fid, ops, cm, msg, rma;
        fi_ops_rma: size, read, readv, readmsg, write, writev, writemsg;
        fi_rma_iov: addr, len, key;
        fi_msg_rma: msg_iov, desc, iov_count, addr, rma_iov, rma_iov_count, context, data;
        fi_ops_cm: size, setname, getname;
        fi_ops_msg: size, recv, recvv, recvmsg, send, sendv, sendmsg, inject;
        fi_context2: internal;
    }
}

fn all_constants() -> String {
    let agains =
        "_Static_assert(FI_EAGAIN == EAGAIN && FI_EAVAIL == 259 && FI_ETRUNC == 265, \"\");\n";
    constants!(
        FI_MSG,
        FI_RMA,
        FI_READ,
        FI_WRITE,
        FI_REMOTE_READ,
        FI_REMOTE_WRITE,
        FI_COMPLETION,
        FI_DELIVERY_COMPLETE,
        FI_RECV,
        FI_TRANSMIT,
        FI_SEND,
        FI_CONTEXT,
        FI_MSG_PREFIX,
        FI_RX_CQ_DATA,
        FI_CONTEXT2,
        FI_MR_LOCAL,
        FI_MR_VIRT_ADDR,
        FI_MR_ALLOCATED,
        FI_MR_PROV_KEY,
        FI_MR_ENDPOINT,
        FI_ORDER_SAS,
        FI_EP_DGRAM,
        FI_EP_RDM,
        FI_AV_TABLE,
        FI_THREAD_DOMAIN,
        FI_CQ_FORMAT_MSG,
        FI_WAIT_NONE,
        FI_ENABLE,
        FI_ADDR_UNSPEC,
    ) + agains
}

#[test]
fn structures_and_constants_are_those_of_the_headers() {
    if !Path::new(HEADERS).exists() {
        eprintln!("not checked: libfabric's headers are not installed");
        return;
    }
    let head = "#include <stddef.h>\n#include <rdma/fabric.h>\n#include <rdma/fi_cm.h>\n\
                #include <rdma/fi_domain.h>\n#include <rdma/fi_endpoint.h>\n\
                #include <rdma/fi_eq.h>\n#include <rdma/fi_errno.h>\n#include <rdma/fi_rma.h>\n";
    let sizes = format!(
        "_Static_assert(sizeof(struct fi_context2) == {} && sizeof(struct fi_cq_msg_entry) == {} \
         && sizeof(struct fi_cq_attr) == {} && sizeof(struct fi_av_attr) == {}, \"\");\n\
         _Static_assert(sizeof(struct fi_cq_err_entry) <= {}, \"\");\n",
        size_of::<fi_context2>(),
        size_of::<fi_cq_msg_entry>(),
        size_of::<fi_cq_attr>(),
        size_of::<fi_av_attr>(),
        size_of::<fi_cq_err_entry>(),
    );
    let text = format!("{head}{}{}{sizes}", all_fields(), all_constants());
    let (right, said) = compiles(&text);
    assert!(right, "{said}");
    let (wrong, _) = compiles(&format!("{text}_Static_assert(FI_MSG == 1, \"\");\n"));
    assert!(!wrong, "the check checks nothing");
}
