package io.lazuli.server.pipeline;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestSource;
import io.lazuli.server.event.ServerEvents;
import io.lazuli.server.event.UnknownOperation;
import io.lazuli.server.http.Request;
import java.util.function.Function;

/** Reports every finished request to {@link ServerEvents}. */
final class RequestEvents {
  private final ServerEvents events;
  private final Function<Request, OperationType> operations;

  /**
   * @param operations finds the operation of an addressed request; throws if there is none
   */
  RequestEvents(
      ServerEvents events, Addressing addressing, Function<Request, OperationType> operations) {
    this(events, request -> operations.apply(request.withAddress(addressing.find(request))));
  }

  /**
   * @param operations finds the operation of a request without an account; throws if there is none
   */
  RequestEvents(ServerEvents events, Function<Request, OperationType> operations) {
    this.events = events;
    this.operations = operations;
  }

  void ended(Request request, int status, Transfer transfer, RequestSource source) {
    events.requestEnded(request.details().ended(request.id(), status, transfer), source);
  }

  /** Returns the operation that a request line asks for. */
  OperationType operation(Request request) {
    try {
      return operations.apply(request);
    } catch (ServiceException unreadable) {
      return UnknownOperation.of(request.method());
    }
  }
}
