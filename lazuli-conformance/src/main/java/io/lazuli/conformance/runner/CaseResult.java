package io.lazuli.conformance.runner;

/**
 * One case and how it went; each invocation of a parameterised case is one. The detail is a single
 * line: what was expected and seen, or why the case is not applicable; empty if it passed.
 *
 * @param type the class without its suffix, {@code Paging}
 * @param method the method's name
 * @param invocation which of several, as JUnit names it, or empty
 */
record CaseResult(
    String type,
    String method,
    String invocation,
    CaseMarks marks,
    Outcome outcome,
    String detail,
    long millis) {

  /** Class and method, the same for all invocations. */
  String group() {
    return type + "." + method;
  }

  String name() {
    return group() + (invocation.isEmpty() ? "" : " " + invocation);
  }
}
