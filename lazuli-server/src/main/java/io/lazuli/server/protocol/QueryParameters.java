package io.lazuli.server.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Query;

/**
 * The query parameters of a request to the blob or queue service, with the errors about them
 * (queue-rest 8). Names may have any case; an empty value counts as absent.
 */
public record QueryParameters(Query query) {
  public boolean has(String name) {
    return !text(name).isEmpty();
  }

  /** Returns the value of a parameter; empty if it is absent. */
  public String text(String name) {
    String value = query.firstIgnoringCase(name);
    return value == null ? "" : value;
  }

  public String require(String name) {
    if (!has(name)) {
      throw CommonErrors.MISSING_REQUIRED_QUERY_PARAMETER
          .exception()
          .with("QueryParameterName", name);
    }
    return text(name);
  }

  /**
   * Returns a parameter as a whole number. Throws if the number is out of bounds.
   *
   * @param missing the value if the parameter is absent
   */
  public int number(String name, int missing, int min, int max) {
    long number = number(name, missing);
    if (number < min || number > max) {
      throw outOfRange(name, min, max);
    }
    return (int) number;
  }

  /**
   * Returns a parameter as a whole number.
   *
   * @param missing the value if the parameter is absent
   */
  public long number(String name, long missing) {
    if (!has(name)) {
      return missing;
    }
    try {
      return Long.parseLong(text(name).strip());
    } catch (NumberFormatException e) {
      throw invalid(name, "");
    }
  }

  /**
   * Returns the number of items that a page may have: {@code maxresults}, but at most the maximum,
   * which is also the default. Throws if the number is not positive.
   */
  public int pageSize(int max) {
    long asked = number("maxresults", max);
    if (asked <= 0) {
      throw outOfRange("maxresults", 1, max);
    }
    return (int) Math.min(asked, max);
  }

  public ServiceException outOfRange(String name, int min, int max) {
    return CommonErrors.OUT_OF_RANGE_QUERY_PARAMETER_VALUE
        .exception()
        .with("QueryParameterName", name)
        .with("QueryParameterValue", text(name))
        .with("MinimumAllowed", Integer.toString(min))
        .with("MaximumAllowed", Integer.toString(max));
  }

  public ServiceException invalid(String name, String reason) {
    return CommonErrors.INVALID_QUERY_PARAMETER_VALUE
        .exception()
        .with("QueryParameterName", name)
        .with("QueryParameterValue", text(name))
        .with("Reason", reason);
  }
}
