package io.lazuli.server.design;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;

/** The errors of models. Their texts are for people and quote nothing that a client sent. */
public final class ModelErrors {
  public static final ServiceError INVALID_MODEL = new ServiceError("InvalidModel", 400, "{why}");
  public static final ServiceError MODEL_NOT_FOUND =
      new ServiceError("ModelNotFound", 404, "There is no model of this name.");
  public static final ServiceError TOO_MANY_MODELS =
      new ServiceError("TooManyModels", 409, "The account has 100 models, which is the maximum.");
  public static final ServiceError NOTHING_TO_TRY =
      new ServiceError("NothingToTry", 409, "The proposal stores nothing in tables.");

  private ModelErrors() {}

  static ServiceException invalid(String why) {
    return INVALID_MODEL.exception().with("why", why);
  }
}
