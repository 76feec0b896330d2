package io.lazuli.server.event;

/** Is told of every answered request, on an event loop: must be quick and must not block. */
@FunctionalInterface
public interface RequestListener {
  void requestEnded(RequestEvent event);
}
