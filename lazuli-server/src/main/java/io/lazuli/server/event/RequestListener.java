package io.lazuli.server.event;

/** Receives every finished request, on an event loop. It must be quick and must not block. */
@FunctionalInterface
public interface RequestListener {
  /**
   * Called when the answer was sent or cannot be sent. An answer that is neither streamed nor
   * measured is reported immediately, before it is flushed.
   *
   * @param source more about the request; valid only during this call
   */
  void requestEnded(RequestEvent event, RequestSource source);
}
