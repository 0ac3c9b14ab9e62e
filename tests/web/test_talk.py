"""Two people talk by phrases, each in their own language; one blocks and reports the other."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.browser import PageUser
from tests.web.conftest import Guests
from tests.web.places import call, new_table


def seat(host: PageUser, friend: PageUser) -> str:
    path = new_table(host, game="taiji:size=7", opponent="link", colour="light", match=False)
    host.open(path)
    link = host.page.get_by_label("Link", exact=True).first.input_value()
    friend.open(link)
    friend.page.wait_for_url(re.compile(r"/game/\w+"))
    for one in (host, friend):
        expect(one.surface).to_be_visible()
    return path


def say(user: PageUser, opener: str, phrase: str) -> None:
    user.button(opener).click()
    user.page.get_by_role("dialog").get_by_role("button", name=phrase, exact=True).click()
    expect(user.page.get_by_role("dialog")).to_have_count(0)


def bubble(user: PageUser, text: str) -> None:
    expect(user.page.locator(".phrase.shown").filter(has_text=text)).to_be_visible()


def test_phrases_in_two_languages_mute_block_and_report(guest: Guests) -> None:
    host, friend = guest(locale="en-GB"), guest(locale="nl-NL")
    path = seat(host, friend)
    say(host, "Say", "Good luck!")
    bubble(friend, "Veel succes!")
    bubble(host, "Good luck!")
    say(friend, "Zeggen", "Bedankt!")
    bubble(host, "Thanks!")
    # The list is in the language of the page, whichever that becomes.
    friend.settings(language="pt")
    friend.page.reload()
    friend.button("Dizer").click()
    said = friend.page.get_by_role("dialog").get_by_role("listitem")
    expect(said.filter(has_text="Boa sorte!")).to_be_visible()
    expect(said.filter(has_text="Obrigado!")).to_be_visible()
    # Muted, nothing of the opponent is shown; it comes back with the switch.
    mute = friend.page.get_by_label("Ocultar o que os adversários dizem")
    mute.check()
    expect(said.filter(has_text="Boa sorte!")).to_have_count(0)
    mute.uncheck()
    expect(said.filter(has_text="Boa sorte!")).to_be_visible()
    friend.page.get_by_role("button", name=re.compile("^Denunciar")).click()
    friend.page.get_by_label("Motivo").select_option("stalling")
    friend.button("Enviar a denúncia").click()
    expect(friend.page.get_by_text("Os responsáveis vão ler.")).to_be_visible()
    friend.page.get_by_role("button", name=re.compile("^Bloquear")).click()
    expect(said.filter(has_text="Boa sorte!")).to_have_count(0)
    friend.page.keyboard.press("Escape")
    # The blocked player sees the own phrase as ever; the blocker sees nothing of it.
    say(host, "Say", "One moment, please.")
    bubble(host, "One moment, please.")
    say(friend, "Dizer", "Olá!")
    bubble(host, "Hello!")
    friend.button("Dizer").click()
    expect(said.filter(has_text="Olá!")).to_be_visible()
    expect(said.filter(has_text="momento")).to_have_count(0)
    friend.page.keyboard.press("Escape")
    # Neither is the blocked player's offer of a rematch seen, which looks open to who made it.
    call(host, "POST", f"/api/tables/{path.rpartition('/')[2]}/resign", {"id": "resign"})
    host.open(path)
    host.button("Rematch").click()
    expect(host.button("Rematch offered…")).to_be_visible()
    friend.page.reload()
    expect(friend.button("Desforra")).to_be_visible()
    expect(friend.button("Aceitar a desforra")).to_have_count(0)
    friend.open("/notifications")
    friend.page.get_by_role("button", name=re.compile("^Desbloquear")).click()
    expect(friend.page.get_by_text("Ninguém.")).to_be_visible()
    assert len(call(friend, "GET", "/api/blocks")["blocks"]) == 0
