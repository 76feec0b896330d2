package io.lazuli.server.auth;

import java.util.List;

/**
 * What a request signs, and what of that differs from what it sent. Holds no key.
 *
 * @param scheme what was recognised
 * @param fields of the string-to-sign, in order; empty if there is none
 * @param expected the signature that each key of the account gives, in order
 * @param sent the signature that came, empty if none
 * @param isRight true if one of the keys signed this request
 * @param remarks what is wrong or doubtful, the most telling first
 * @param answer what the server says to it
 */
public record SignatureExplanation(
    String scheme,
    List<SignedField> fields,
    List<String> expected,
    String sent,
    boolean isRight,
    List<String> remarks,
    String answer) {
  public SignatureExplanation {
    fields = List.copyOf(fields);
    expected = List.copyOf(expected);
    remarks = List.copyOf(remarks);
  }
}
