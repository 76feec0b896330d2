package io.lazuli.conformance.runner;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.io.UncheckedIOException;

/**
 * The result of one signed request that lists the tables, queues or containers of an endpoint.
 *
 * @param problem the reason why the endpoint cannot be tested, or empty
 * @param server the value of the {@code Server} header, or empty
 */
record Probe(String problem, String server) {

  static Probe of(Account account) {
    try {
      WireAnswer answer = new WireClient(account).get(listing(account)).send();
      String server = answer.header("Server").orElse("");
      String problem = problem(account, answer);
      String called =
          problem.isEmpty() || server.isEmpty() ? "" : "; its Server header is " + server;
      return new Probe(problem + called, server);
    } catch (UncheckedIOException e) {
      String reason = String.valueOf(e.getMessage()).replaceFirst("^(\\w+\\.)+", "");
      return new Probe("cannot reach " + account.base() + ": " + reason, "");
    }
  }

  boolean isGood() {
    return problem.isEmpty();
  }

  private static String listing(Account account) {
    return account.service() == StorageService.TABLE
        ? "/Tables?$top=1"
        : "/?comp=list&maxresults=1";
  }

  private static String problem(Account account, WireAnswer answer) {
    return switch (answer.status()) {
      case 200 -> "";
      case 401, 403 ->
          "%s refuses this account and key: %d %s"
              .formatted(account.base(), answer.status(), answer.errorCode());
      default ->
          "%s is not a %s endpoint: it answers %d to GET %s%s"
              .formatted(
                  account.base(),
                  account.service().word(),
                  answer.status(),
                  account.pathPrefix(),
                  listing(account));
    };
  }
}
