package io.lazuli.server.admin;

import io.lazuli.server.http.Request;
import java.util.concurrent.CompletionStage;

/** Decides who may read what the admin port says about the server. */
@FunctionalInterface
public interface AdminGate {
  /**
   * Returns whether the sender of a request may read everything; false if it has no credentials or
   * wrong ones. The stage may also fail with a refusal that says more.
   */
  CompletionStage<Boolean> isReader(Request request);
}
