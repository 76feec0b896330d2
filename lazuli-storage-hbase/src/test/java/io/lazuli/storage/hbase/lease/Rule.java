package io.lazuli.storage.hbase.lease;

/**
 * The rules of docs/decisions/0018-leases.md. Without any one of them, a server would answer for a
 * dropped space.
 */
enum Rule {
  /** A lease counts from the moment when its read was sent, not from the answer. */
  COUNTS_FROM_SENDING,
  /** A lease ends. */
  ENDS,
  /** A server reads the clock after the answer of the data's region has arrived. */
  CLOCK_AFTER_DATA,
  /** A lease does not cover a space whose drop it lists. */
  LISTS_ANNOUNCEMENTS,
  /** After a drop, a server finds out again which spaces exist. */
  FORGETS_AFTER_A_DROP,
  /** A server may skip that for the spaces of a lease only if that lease has not ended. */
  KEEPS_ONLY_COVERED_SPACES,
  /** A check without a lease reads the home after the data. */
  CHECKS_AFTER_DATA,
  /** A read of the home shows every change that took effect before the read was sent. */
  READS_ARE_FRESH,
  /** A drop is announced before it is committed. */
  ANNOUNCES,
  /** A drop waits between announcement and commit. */
  WAITS,
  /** The wait begins with the answer to the announcement. */
  WAITS_FROM_ANSWER,
  /** The wait is longer than the lease, because clocks differ in speed. */
  HAS_A_MARGIN,
  /** The wait is that of the longest lease of any server. */
  WAITS_FOR_THE_LONGEST,
  /** The length of the longest lease is read after the announcement. */
  READS_LENGTH_AFTER_ANNOUNCING,
  /** A server records a longer lease before it uses it. */
  RECORDS_LENGTH_FIRST,
  /** A drop is committed only if the announcement is the one that it waited for. */
  COMMITS_ITS_ANNOUNCEMENT,
}
