package io.lazuli.server.event;

import java.util.List;

/** Passes events of the server to all listeners, in the order of the list. */
public final class ServerEvents {
  private final List<RequestListener> requestListeners;

  public ServerEvents(List<RequestListener> requestListeners) {
    this.requestListeners = List.copyOf(requestListeners);
  }

  public void requestEnded(RequestEvent event, RequestSource source) {
    for (RequestListener listener : requestListeners) {
      listener.requestEnded(event, source);
    }
  }
}
