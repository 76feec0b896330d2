package io.lazuli.server.event;

/** How the sender of a request says who it is; whether that was proved is another question. */
public enum Authentication {
  ANONYMOUS,
  /** With a key of the account. */
  KEY,
  /** With a shared access signature. */
  SAS
}
