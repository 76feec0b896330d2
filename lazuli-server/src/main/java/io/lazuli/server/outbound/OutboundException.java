package io.lazuli.server.outbound;

/** A call to another server was refused or failed. The text never contains a path or a query. */
public final class OutboundException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Why there is no answer. */
  public enum Kind {
    /** No entry of the list permits the host. */
    NOT_LISTED,
    /** The host resolves to an address that its entry does not permit. */
    FORBIDDEN_ADDRESS,
    /** The host cannot be resolved or reached, is too slow, or broke off. */
    UNREACHABLE,
    /** Too many calls are under way. */
    BUSY
  }

  private final Kind kind;

  OutboundException(Kind kind, String text) {
    super(text);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
