package io.lazuli.server.event;

/** Is told of every request that is over, on an event loop: must be quick and must not block. */
@FunctionalInterface
public interface RequestListener {
  /**
   * The answer was sent, or cannot be. One that is neither streamed nor logged is only on its way.
   *
   * @param source for more than the event tells; only during this call
   */
  void requestEnded(RequestEvent event, RequestSource source);
}
