package io.lazuli.conformance.runner;

/**
 * The result of one case. Each invocation of a parameterised case has a result. The detail is a
 * single line: the expected and the actual value, or the reason why the case is not applicable. It
 * is empty if the case passed.
 *
 * @param type the name of the class without its suffix, such as {@code Paging}
 * @param method the method's name
 * @param invocation the display name of the invocation, or empty if the method is one case
 */
record CaseResult(
    String type,
    String method,
    String invocation,
    CaseMarks marks,
    Outcome outcome,
    String detail,
    long millis) {

  /** Returns the class and the method, which are the same for all invocations. */
  String group() {
    return type + "." + method;
  }

  String name() {
    return group() + (invocation.isEmpty() ? "" : " " + invocation);
  }
}
