package io.lazuli.server.auth;

import io.lazuli.server.access.Identity;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Verifies bearer tokens (auth 8). */
public interface TokenCheck {
  /**
   * Returns what a token says about its sender. The stage fails with the refusal if the token is
   * not valid now, or not meant for this service.
   *
   * @param account the addressed account
   * @param service the label of the service: {@code blob}, {@code queue} or {@code table}
   * @param back the executor that completes a stage that is not complete yet
   */
  CompletionStage<Identity> identity(String token, String account, String service, Executor back);
}
