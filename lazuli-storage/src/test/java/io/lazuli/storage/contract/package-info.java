/** What every engine has to pass, in the test jar for the engines of other modules. */
package io.lazuli.storage.contract;
