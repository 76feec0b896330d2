package io.lazuli.benchmarks.server;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * The baseline: the bare HTTP stack of Lazuli, without any work. It responds to a GET with a
 * constant as long as an entity, and to any other request with 204 after reading its body.
 */
public final class EchoServer extends VerticleBase {
  private static final int ANSWER_BYTES = 780;

  /** The port to listen on. With a negative port, all instances share one free port. */
  private static final int ANY_SHARED_PORT = -1;

  private final Buffer answer = Buffer.buffer("x".repeat(ANSWER_BYTES));

  /** Listens on a free port of the loopback, prints its address, and runs until it is killed. */
  public static void main(String[] arguments) {
    Vertx vertx = Vertx.vertx();
    int loops = Runtime.getRuntime().availableProcessors();
    vertx
        .deployVerticle(EchoServer::new, new DeploymentOptions().setInstances(loops))
        .onFailure(
            failure -> {
              System.out.println("echo failed: " + failure);
              vertx.close();
            });
  }

  @Override
  public Future<?> start() {
    HttpServer server =
        vertx
            .createHttpServer(new HttpServerOptions().setTcpNoDelay(true))
            .requestHandler(this::answer);
    return server
        .listen(ANY_SHARED_PORT, "127.0.0.1")
        .onSuccess(
            bound ->
                System.out.println(
                    "echo  http://127.0.0.1:" + bound.actualPort() + "/devstoreaccount1"));
  }

  private void answer(HttpServerRequest request) {
    if (HttpMethod.GET.equals(request.method())) {
      request.response().putHeader("Content-Type", "application/json").end(answer);
    } else {
      request.body().onSuccess(body -> request.response().setStatusCode(204).end());
    }
  }
}
