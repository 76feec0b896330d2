package io.lazuli.client.fault;

/** The moment at which a client dies: its n-th request, counted from 1, or never. */
public record Cut(int request, Moment moment) {
  /** No request has this number. */
  public static final Cut NEVER = new Cut(Integer.MAX_VALUE, Moment.BEFORE);

  /** Whether the server still sees the request. */
  public enum Moment {
    /** The request never arrives. */
    BEFORE,
    /** The server processes the request, but the client never gets the response. */
    AFTER
  }

  public static Cut before(int request) {
    return new Cut(request, Moment.BEFORE);
  }

  public static Cut after(int request) {
    return new Cut(request, Moment.AFTER);
  }

  boolean reachedBy(int number) {
    return number >= request;
  }

  /** Returns whether the request with this number reaches the server. */
  boolean serves(int number) {
    return number < request || (number == request && moment == Moment.AFTER);
  }
}
