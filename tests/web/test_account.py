"""The account page: recovery codes, password, export and deletion, in one walk."""

from __future__ import annotations

import json
import re
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import expect

from tests.web.browser import PageUser
from tests.web.conftest import Guests

FIRST, SECOND, THIRD = "a phrase of horses", "a phrase of turtles", "a phrase of dragons"


def sign_in(user: PageUser, name: str, password: str) -> None:
    user.open("/account")
    user.page.get_by_label("Account name").fill(name)
    user.page.get_by_label(re.compile("^Password")).fill(password)
    user.button("Sign in").click()


def expect_signed_in(user: PageUser, name: str) -> None:
    expect(user.page.get_by_role("heading", name=f"Signed in as {name}")).to_be_visible()


def test_an_account_from_its_codes_to_its_deletion(guest: Guests, tmp_path: Path) -> None:
    user, phone = guest(), guest(viewport={"width": 360, "height": 740})
    page, name = user.page, f"ada{uuid4().hex[:8]}"
    user.open("/account")
    assert re.fullmatch(r"[A-Z][a-z]+ \d\d", page.get_by_label("Your name").input_value())

    # A common password is refused; registration shows the codes once.
    user.expected += ["status of 422", "status of 401", "status of 409"]
    page.get_by_label("Account name").fill(name)
    field = page.get_by_label(re.compile("^Password"))
    assert field.get_attribute("type") == "password"
    field.fill("password1234")
    user.button("Create an account").click()
    expect(page.get_by_role("alert")).to_contain_text("among the first that are guessed")
    field.fill(FIRST)
    user.button("Create an account").click()
    codes = page.get_by_role("region", name="Recovery codes").locator("li")
    expect(codes).to_have_count(8)
    code = codes.first.inner_text()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download as a file").click()
    saved.value.save_as(tmp_path / "codes.txt")
    assert code in (tmp_path / "codes.txt").read_text().splitlines()
    user.button("I have kept them").click()
    expect(codes).to_have_count(0)

    # A change of password signs the phone out.
    sign_in(phone, name, FIRST)
    expect_signed_in(phone, name)
    change = page.locator("form", has=page.get_by_role("heading", name="Password", exact=True))
    change.get_by_label("Current password").fill(FIRST)
    change.get_by_label("New password").fill(SECOND)
    user.button("Change the password").click()
    expect(page.get_by_role("status").filter(has_text="The password is changed.")).to_be_visible()
    phone.page.reload()
    expect(phone.button("Sign in")).to_be_visible()

    # The phone forgets the password and uses a code; this browser is signed out.
    phone.page.get_by_text("Forgot your password?").click()
    forgotten = phone.page.locator("details")
    forgotten.get_by_label("Account name").fill(name)
    forgotten.get_by_label("Recovery code").fill(code)
    forgotten.get_by_label("New password").fill(THIRD)
    phone.button("Set the new password").click()
    expect_signed_in(phone, name)
    expect(phone.page.get_by_text("7 codes are left")).to_be_visible()
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360

    # New codes, the export, and the end.
    renew = phone.page.locator("form", has=phone.page.get_by_role("heading", name="Recovery codes"))
    renew.get_by_label("Current password").fill(THIRD)
    phone.button("New codes").click()
    expect(phone.page.get_by_role("region", name="Recovery codes").locator("li")).to_have_count(8)
    phone.button("I have kept them").click()
    with phone.page.expect_download() as exported:
        phone.page.get_by_role("link", name="Download my data").click()
    exported.value.save_as(tmp_path / "export.json")
    assert json.loads((tmp_path / "export.json").read_text())["account"]["name"] == name
    phone.button("Delete the account").click()
    dialog = phone.page.get_by_role("dialog")
    dialog.get_by_label("Current password").fill(THIRD)
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(phone.button("Create an account")).to_be_visible()
    assert name not in phone.page.evaluate("JSON.stringify(localStorage)")
    page.reload()
    sign_in(user, name, THIRD)
    expect(page.get_by_role("alert")).to_have_text("Name and password do not match.")

    # A guest is shown as one, under a name that is not an account's.
    other = guest()
    other.expected.append("status of 409")
    other.open("/account")
    other.page.get_by_label("Your name").fill("Admin")
    other.button("Save").click()
    expect(other.page.get_by_role("alert")).to_have_text("That name is taken.")
    other.page.get_by_label("Your name").fill("Zoë")
    other.button("Save").click()
    expect(other.button("Saved")).to_be_visible()
