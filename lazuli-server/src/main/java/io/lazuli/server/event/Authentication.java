package io.lazuli.server.event;

/** How a request claims to be authenticated. It does not say whether the check succeeded. */
public enum Authentication {
  ANONYMOUS,
  /** The request is signed with a key of the account. */
  KEY,
  /** The request has a shared access signature. */
  SAS
}
