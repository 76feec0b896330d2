package io.lazuli.server.queue.protocol;

import io.lazuli.server.account.SettingsService;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.protocol.SettingsEndpoint;
import io.lazuli.server.queue.model.QueueErrors;
import java.util.concurrent.CompletionStage;

/** The HTTP face of the queue service. */
public final class QueueEndpoint implements Endpoint {
  /** What a policy of a queue may permit. */
  private static final String POLICY_LETTERS = "raup";

  private final SettingsEndpoint settings;

  public QueueEndpoint(SettingsService settings) {
    this.settings =
        new SettingsEndpoint(settings, POLICY_LETTERS, QueueErrors.UNSUPPORTED_HTTP_VERB, false);
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    String component = request.query().first("comp");
    if (component == null || !request.address().path().replace("/", "").isEmpty()) {
      throw CommonErrors.NOT_IMPLEMENTED.exception();
    }
    return settings.onService(request, request.method(), component, RequestDeadline.of(request));
  }
}
